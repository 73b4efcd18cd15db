#pragma once
// A command's result on standard output.

#include <string_view>

namespace workbook {

/// Writes the text to standard output and flushes it. Throws gs::machine_error if that fails: the disk is full, nobody
/// reads the pipe.
void print_whole(std::string_view text);

}  // namespace workbook
