#include "workbook/command_name.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace workbook {

std::string for_shell(const std::string& word) {
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) ||
           std::string_view("/._-+,=@%").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

std::string path_from_here(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  const std::filesystem::path whole = (here / path).lexically_normal(), relative = whole.lexically_relative(here);
  return (relative.empty() || *relative.begin() == ".." ? whole : relative).string();
}

std::string command_name() {
  const char* const name = std::getenv("GRIDSTRIDE_COMMAND");
  return name != nullptr && *name != '\0' ? name : "./gridstride";
}

std::string course_command_name() {
  const char* const course = std::getenv("GRIDSTRIDE_COURSE");
  if (course == nullptr || *course == '\0') return command_name();
  return command_name() + " --course " + for_shell(course);
}

}  // namespace workbook
