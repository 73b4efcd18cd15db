#include "assessments/grader/certificate/holder_name.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"

namespace grader {

using gs::detail::character, gs::detail::characters_of, gs::detail::is_control;
namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& advice) {
  throw gs::error("the name on a certificate", found, advice);
}

}  // namespace

std::string holder_name(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) refuse("it is empty", "give one: --name \"Ada Lovelace\"");
  const std::string name = text.substr(first, text.find_last_not_of(' ') + 1 - first);
  const auto characters = characters_of(name);
  if (characters.size() > longest_name)
    refuse(fmt::format("it has {} characters", characters.size()), fmt::format("give at most {}", longest_name));
  for (const character& c : characters) {
    if (c.code == 0xFFFD) refuse("it is not UTF-8", "write it in UTF-8");
    if (is_control(c.code))
      refuse(fmt::format("it contains the control character U+{:04X}", static_cast<unsigned>(c.code)), "leave it out");
  }
  return name;
}

}  // namespace grader
