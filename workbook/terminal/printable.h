#pragma once
// Text that a stranger's program, compiler message or file name brought along, made fit to show.

#include <string>
#include <string_view>

namespace workbook {

/// Control characters but line breaks and tabs, those that turn the direction of writing, and bytes that are no UTF-8
/// become '?': what is shown can't steer a terminal or hide a part of itself, and every document that holds it is
/// well-formed.
std::string printable(std::string_view text);

}  // namespace workbook
