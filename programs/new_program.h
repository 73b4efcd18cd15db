#pragma once
// new_program: a file to begin with.

#include <filesystem>
#include <string>

namespace programs {

/// The text of a new program: a kernel over an array, and what it computed.
std::string new_program_text();

/// Writes it to a file that isn't there yet, and makes its folder. Throws gs::error where the file is there or isn't
/// called as C++ sources are, gs::machine_error where it can't be written.
void write_new_program(const std::filesystem::path& file);

}  // namespace programs
