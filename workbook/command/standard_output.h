#pragma once
// What a command was asked for, on standard output.

#include <string_view>

namespace workbook {

/// Writes the text, and everything before it, to standard output. Throws gs::machine_error if it doesn't all arrive: a
/// full disk, a pipe that nobody reads.
void print_whole(std::string_view text);

}  // namespace workbook
