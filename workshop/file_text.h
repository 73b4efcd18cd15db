#pragma once
// Small files that are read whole, and written whole or not at all.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace workshop {

/// The bytes of a regular file. `asked` begins the error: "reading the key k.json". Throws gs::error if there is none,
/// it can't be read, or it is larger than `most` bytes.
std::string read_text(const std::filesystem::path& file, const std::string& asked,
                      std::uint64_t most = std::uint64_t{4} << 20);

enum class existing { replace, keep };

/// Writes a file atomically: a concurrent reader sees the old one or the new one. Creates its folder if needed. Returns
/// false, and leaves the file alone, if it exists and `if_there` is `keep`. Throws gs::error if it can't be written,
/// gs::machine_error if the disk is full or read-only.
bool write_text(const std::filesystem::path& file, std::string_view text, const std::string& asked,
                existing if_there = existing::replace, mode_t mode = 0644);

}  // namespace workshop
