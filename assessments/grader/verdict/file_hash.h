#pragma once
// SHA-256, which identifies the bytes that a verdict is about.

#include <filesystem>
#include <string>
#include <string_view>

namespace grader {

/// 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);
/// 64 hexadecimal digits. Throws gs::error if the file can't be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace grader
