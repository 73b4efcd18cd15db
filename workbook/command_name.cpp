#include "workbook/command_name.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

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
