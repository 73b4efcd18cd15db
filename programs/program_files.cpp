#include "programs/program_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command_name.h"

namespace programs {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> endings{".cpp", ".cc", ".cxx", ".c++", ".C", ".cu", ".c"};
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

bool is_compiler_option(const std::string& word) { return word.starts_with("-I") || word.starts_with("-D"); }

fs::path include_folder(const std::string& folder, const std::string& asked) {
  if (!fs::is_directory(status_of(folder, asked)))
    throw gs::error(asked, "there is no such folder", "name the folder of the headers");
  return fs::absolute(folder).lexically_normal();
}

// NAME or NAME=VALUE.
std::string definition(const std::string& text, const std::string& asked) {
  const auto continues_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const std::string name = text.substr(0, text.find('='));
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || !std::ranges::all_of(name, continues_name))
    throw gs::error(asked, "that is no name of a macro", "write -D NAME or -D NAME=VALUE");
  return text;
}

// Takes the options of a compiler that `words` begin with.
void take_compiler_options(const std::string& command, std::vector<std::string>& words, program_files& found) {
  while (!words.empty() && is_compiler_option(words.front())) {
    const std::string option = words.front().substr(0, 2);
    std::string value = words.front().substr(2);
    words.erase(words.begin());
    if (value.empty() && !words.empty()) {
      value = words.front();
      words.erase(words.begin());
    }
    const std::string asked = value.empty() ? fmt::format("{} {}", command, option)
                                            : fmt::format("{} {} {}", command, option, gs::detail::printable(value));
    if (value.empty())
      throw gs::error(asked, "nothing follows it",
                      option == "-I" ? "write -I FOLDER" : "write -D NAME or -D NAME=VALUE");
    if (option == "-I")
      found.include_folders.push_back(include_folder(value, asked));
    else
      found.definitions.push_back(definition(value, asked));
  }
}

}  // namespace

bool is_source_name(const fs::path& file) {
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

program_files find_program_files(const std::string& command, std::vector<std::string> words) {
  program_files found;
  take_compiler_options(command, words, found);
  if (words.empty() || words.front() == "--")
    throw gs::error(command, "no file is named",
                    fmt::format("name one: {} {} my/wave.cpp", workbook::command_name(), command));
  const fs::path first = words.front();
  const std::string asked = command + " " + shown(first);
  found.name = first.stem().string();
  found.shown = first;
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
