#pragma once
// Hints: what a hints.md holds, from gentle to plain.

#include <string>
#include <string_view>
#include <vector>

namespace workbook {

struct hint {
  std::string heading;  ///< "Making a column"
  std::string text;     ///< Markdown, without blank lines at its ends
};

/// One hint for each heading of the second level. Throws gs::error for a hint without a text, for two with the same
/// heading, and for a file without hints.
std::vector<hint> read_hints(std::string_view markdown);

}  // namespace workbook
