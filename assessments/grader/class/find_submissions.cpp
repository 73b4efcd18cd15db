#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "assessments/grader/class/grade_class.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& p) { return p.filename().string().starts_with('.'); }

// By the extensions that compilers know, in upper or lower case: another file system may have changed it.
bool is_source(const fs::path& p) {
  std::string ending = p.extension().string();
  if (ending == ".C") return true;
  for (char& letter : ending) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".c++" || ending == ".cu";
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!is_hidden(entry.path()) && is_source(entry.path())) sources.push_back(entry.path());
  return sources;
}

std::string problem_of_file(const fs::path& file) {
  const fs::file_status status = fs::symlink_status(file);
  if (fs::is_symlink(status)) return "It is a link, not a file.";
  if (!fs::is_regular_file(status)) return "It is not a regular file.";
  return "";
}

// A folder's submission is the one source in it.
found_submission in_folder(const fs::path& folder) {
  found_submission submission{.name = {}, .file = folder, .problem = ""};
  try {
    const std::vector<fs::path> sources = sources_in(folder);
    if (sources.size() != 1) {
      submission.problem = fmt::format("The folder holds {} C++ files; there must be exactly one.", sources.size());
      return submission;
    }
    submission.file = sources[0];
    submission.problem = problem_of_file(submission.file);
  } catch (const fs::filesystem_error& e) {
    submission.problem = e.code().message() + ".";
  }
  return submission;
}

// Links can lead anywhere. One that could be a submission, a source or a folder, is refused with a reason.
bool is_linked_submission(const fs::directory_entry& entry) {
  std::error_code none;
  return entry.is_symlink(none) && (is_source(entry.path()) || entry.is_directory(none) || !entry.exists(none));
}

struct folder_entry {
  fs::path path;
  bool is_folder = false;
  found_submission found;
  bool has_ending() const { return !is_folder && is_source(path); }
};

// A file goes by its name without the ending, unless another entry could be called so: then by its whole name, which no
// other has.
void name_all(std::vector<folder_entry>& entries) {
  std::map<std::string, unsigned> claims;
  for (const folder_entry& e : entries) {
    ++claims[e.path.filename()];
    if (e.has_ending()) ++claims[e.path.stem()];
  }
  for (folder_entry& e : entries)
    e.found.name = e.has_ending() && claims[e.path.stem()] == 1 ? e.path.stem() : e.path.filename();
}

}  // namespace

std::vector<found_submission> find_submissions(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw gs::error("grading " + folder.string(), "it isn't a folder", "give the folder that holds the submissions");
  std::vector<folder_entry> entries;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const fs::path& path = entry.path();
      if (is_hidden(path)) continue;
      if (is_linked_submission(entry))
        entries.push_back({path, false, {.name = {}, .file = path, .problem = "It is a link, not a file."}});
      else if (entry.is_directory() && !entry.is_symlink())
        entries.push_back({path, true, in_folder(path)});
      else if (is_source(path))
        entries.push_back({path, false, {.name = {}, .file = path, .problem = problem_of_file(path)}});
    }
  } catch (const fs::filesystem_error& e) {
    throw gs::error("grading " + folder.string(), e.code().message(), "check the folder's permissions");
  }
  name_all(entries);
  std::vector<found_submission> found;
  for (folder_entry& e : entries) found.push_back(std::move(e.found));
  std::ranges::sort(found, {}, &found_submission::name);
  return found;
}

}  // namespace grader
