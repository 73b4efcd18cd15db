#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "assessments/grader/grade_class.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& p) { return p.filename().string().starts_with('.'); }

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!is_hidden(entry.path()) && entry.path().extension() == ".cpp") sources.push_back(entry.path());
  return sources;
}

std::string problem_of_file(const fs::path& file) {
  const fs::file_status status = fs::symlink_status(file);
  if (fs::is_symlink(status)) return "It is a link, and not a file.";
  if (!fs::is_regular_file(status)) return "It is not a regular file.";
  return "";
}

// A folder's submission is the one source in it.
found_submission in_folder(const fs::path& folder) {
  found_submission one{.name = folder.filename(), .file = folder, .problem = ""};
  try {
    const std::vector<fs::path> sources = sources_in(folder);
    if (sources.size() != 1) {
      one.problem = fmt::format("The folder holds {} .cpp files, and one is asked for.", sources.size());
      return one;
    }
    one.file = sources[0];
    one.problem = problem_of_file(one.file);
  } catch (const fs::filesystem_error& e) {
    one.problem = e.code().message() + ".";
  }
  return one;
}

}  // namespace

std::vector<found_submission> find_submissions(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw gs::error("grading " + folder.string(), "it is no folder", "give the folder that holds the submissions");
  std::vector<found_submission> found;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const fs::path& path = entry.path();
      if (is_hidden(path)) continue;
      if (entry.is_directory() && !entry.is_symlink())
        found.push_back(in_folder(path));
      else if (path.extension() == ".cpp")
        found.push_back({.name = path.stem(), .file = path, .problem = problem_of_file(path)});
    }
  } catch (const fs::filesystem_error& e) {
    throw gs::error("grading " + folder.string(), e.code().message(), "check the folder's rights");
  }
  std::map<std::string, unsigned> times;
  for (const found_submission& one : found) ++times[one.name];
  for (found_submission& one : found)
    if (times[one.name] > 1 && one.file.parent_path() == folder) one.name = one.file.filename();
  std::ranges::sort(found, {}, &found_submission::name);
  return found;
}

}  // namespace grader
