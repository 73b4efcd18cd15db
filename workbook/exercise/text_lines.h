#pragma once
// The lines of a text.

#include <string_view>
#include <vector>

namespace workbook {

/// Without "\n" or "\r\n"; a line break at the end of the text doesn't start another line. They point into the text.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace workbook
