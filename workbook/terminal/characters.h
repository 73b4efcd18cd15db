#pragma once
// The characters of texts in UTF-8 that others wrote: names of people, of files, of processors.

#include <string>
#include <string_view>
#include <vector>

namespace workbook {

struct character {
  char32_t code;          ///< U+FFFD for a byte that isn't UTF-8
  std::string_view text;  ///< its bytes
};
std::vector<character> characters_of(std::string_view text);

/// Whether it could do something to a terminal, or make a text look like another one: control characters, and of
/// Unicode's format characters those that reorder, hide or end a line. U+200C and U+200D aren't among them: names in
/// Persian and in India's scripts need them.
bool is_control(char32_t c);

/// The text with '?' for every control character, line breaks too, and every byte that isn't UTF-8.
std::string one_line(std::string_view text);

}  // namespace workbook
