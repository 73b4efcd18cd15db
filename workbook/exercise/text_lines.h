#pragma once
// The lines of a text.

#include <string_view>
#include <vector>

namespace workbook {

/// Without their ends, "\n" or "\r\n"; an end of the text's own makes no line more. They point into the text.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace workbook
