#pragma once
// Text in columns of a terminal: width, padding, wrapping, and ASCII stand-ins where there is no UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

/// Columns that prose fills at most, however wide the terminal is: longer lines are hard to read.
inline constexpr std::size_t widest_prose = 100;

/// Columns a UTF-8 text takes: one per character; escape sequences take none.
std::size_t display_width(std::string_view text);

/// Its characters, of one or several bytes each; an escape sequence is one.
std::vector<std::string_view> characters_of(std::string_view text);

/// Spaces before or after the text so that it takes at least `width` columns.
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);
/// The text cut to `width` columns, the last of which is then "…".
std::string cut(std::string_view text, std::size_t width);

/// Breaks lines at spaces so that none exceeds `width` columns; every line begins with `indent` spaces. Line breaks of
/// the text stay, and a line that begins with a space is kept as it is.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// The text in ASCII: µ as u, ± as +/-, × as x and so on; what has no stand-in becomes '?'.
std::string to_ascii(std::string_view text);

}  // namespace workbook
