#include "programs/program_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command_name.h"

namespace programs {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> endings{".cpp", ".cc", ".cxx", ".c++", ".C", ".cu"};
constexpr const char* name_a_source = "name a file that ends in .cpp";

std::string shown(const fs::path& path) { return gs::detail::printable(path.string()); }

std::vector<fs::path> sources_in(const fs::path& folder, const std::string& asked) {
  std::vector<fs::path> sources;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->is_regular_file() && is_source_name(entry->path())) sources.push_back(entry->path());
  if (failed)
    throw gs::error(asked, fmt::format("{} can't be read: {}", shown(folder), failed.message()), name_a_source);
  if (sources.empty())
    throw gs::error(asked, fmt::format("the folder {} has no C++ source", shown(folder)), name_a_source);
  std::ranges::sort(sources);
  return sources;
}

// The name of a folder, also of "." and "simulation/".
std::string name_of_folder(const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder));
  return whole.filename().empty() ? "program" : whole.filename().string();
}

// Also of a path that doesn't exist; but not of one in a folder that can't be read, or of a link to itself.
fs::file_status status_of(const fs::path& file, const std::string& asked) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (status.type() == fs::file_type::none)
    throw gs::error(asked, "it can't be reached: " + failed.message(), "name a file that can be read");
  return status;
}

void refuse_other_than_source(const fs::path& file, const std::string& asked) {
  const fs::file_status status = status_of(file, asked);
  if (!fs::exists(status))
    throw gs::error(asked, "there is no such file",
                    is_source_name(file) ? fmt::format("{} new {} begins one", workbook::command_name(),
                                                       workbook::for_shell(shown(file)))
                                         : name_a_source);
  if (fs::is_directory(status)) throw gs::error(asked, "it is a folder among files", "name the folder alone");
  if (!is_source_name(file)) throw gs::error(asked, "its name isn't that of a C++ source", "call it .cpp if it is one");
}

}  // namespace

bool is_source_name(const fs::path& file) {
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

program_files find_program_files(const std::string& command, const std::vector<std::string>& words) {
  if (words.empty() || words.front() == "--")
    throw gs::error(command, "no file is named",
                    fmt::format("name one: {} {} my/wave.cpp", workbook::command_name(), command));
  const fs::path first = words.front();
  const std::string asked = command + " " + shown(first);
  program_files found{.name = first.stem().string(), .shown = first};
  std::size_t used = 1;
  if (fs::is_directory(status_of(first, asked))) {
    found.name = name_of_folder(first);
    found.sources = sources_in(first, asked);
  } else {
    refuse_other_than_source(first, asked);
    found.sources = {first};
    for (; used < words.size() && words[used] != "--" && is_source_name(words[used]); ++used) {
      refuse_other_than_source(words[used], command + " " + shown(words[used]));
      found.sources.emplace_back(words[used]);
    }
  }
  for (fs::path& source : found.sources) source = fs::absolute(source).lexically_normal();
  if (used < words.size() && words[used] == "--") ++used;
  found.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(used), words.end());
  return found;
}

}  // namespace programs
