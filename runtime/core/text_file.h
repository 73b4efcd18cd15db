#pragma once
// Reading whole text files. Not part of gs.h: for the programs around the runtime.

#include <cstdint>
#include <filesystem>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The bytes of a regular file. `asked` begins the error: "reading the key k.json". Throws gs::error if there is none,
/// it is a folder or a device, it can't be read, or it is larger than `max_bytes` bytes.
std::string read_text_file(const std::filesystem::path& file, const std::string& asked,
                           std::uint64_t max_bytes = std::uint64_t{4} << 20);

}  // namespace gs::inline GS_FLAVOUR::detail
