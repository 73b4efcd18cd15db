#pragma once
// Somebody's source: read once, so that every flavour is compiled from the same bytes.

#include <cstddef>
#include <filesystem>
#include <string>

namespace workshop {

/// Larger sources are refused.
inline constexpr std::size_t largest_source = std::size_t{1} << 20;

struct source_file {
  std::filesystem::path path;  ///< as it was given
  std::string text;            ///< the file's bytes
};

/// Whether a name ends as those of C++ headers do: .h, .hpp, .hh or .cuh.
bool is_header_name(const std::filesystem::path& file);

/// Whether a name ends as those of C sources do: .c.
bool is_c_name(const std::filesystem::path& file);

/// `purpose` begins the errors. Throws gs::error if it isn't a regular file, can't be read or is larger than
/// largest_source; also for a symbolic link, which could name a file that this program can read but its author can't.
source_file read_source(const std::filesystem::path& path, const std::string& purpose = "grade");

}  // namespace workshop
