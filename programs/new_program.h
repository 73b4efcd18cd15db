#pragma once
// new_program: a file to begin with.

#include <filesystem>
#include <string>

namespace programs {

/// The text of a new program: it runs a kernel over an array and prints the result.
std::string new_program_text();

/// Writes it to a new file, and makes the file's folder. Throws gs::error if the file exists or isn't named like a C++
/// source, gs::machine_error if it can't be written.
void write_new_program(const std::filesystem::path& file);

}  // namespace programs
