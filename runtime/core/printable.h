#pragma once
// Texts in UTF-8 that others wrote (names of people, files and processors, compilers' messages, what programs print),
// and what of them is fit to show. Not part of gs.h: for the programs around the runtime.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

struct character {
  char32_t code;          ///< U+FFFD for a byte that isn't UTF-8
  std::string_view text;  ///< its bytes
};
std::vector<character> characters_of(std::string_view text);

/// Whether it could do something to a terminal, or make a text look like another one: control characters, and of
/// Unicode's format characters those that reorder, hide or end a line. U+200C and U+200D aren't among them: names in
/// Persian and in India's scripts need them.
bool is_control(char32_t c);

/// Control characters but line breaks and tabs, those that turn the direction of writing, and bytes that are no UTF-8
/// become '?': what is shown can't steer a terminal or hide a part of itself, and every document that holds it is
/// well-formed.
std::string printable(std::string_view text);

/// The text with '?' for every control character, line breaks too, and every byte that isn't UTF-8.
std::string one_line(std::string_view text);

}  // namespace gs::inline GS_FLAVOUR::detail
