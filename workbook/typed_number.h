#pragma once
// Numbers as people type them.

#include <optional>
#include <string_view>

namespace workbook {

/// Digits, an optional point and exponent, k, M or G at the end; _ and , between digits are skipped. Nothing if the
/// text is anything else.
std::optional<long double> typed_number(std::string_view text);

}  // namespace workbook
