#pragma once
// The SHA-256 of a file: which bytes a verdict is about.

#include <filesystem>
#include <string>

namespace grader {

/// 64 hexadecimal digits. Throws gs::error if the file can't be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace grader
