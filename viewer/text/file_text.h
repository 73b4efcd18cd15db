#pragma once
// A text file, whole.

#include <filesystem>
#include <string>

namespace viewer {

/// Throws gs::error if it can't be read, is no file, or is larger than any text that people write (4 MiB).
std::string text_of_file(const std::filesystem::path& file);
/// The same for a page that shows it: why it can't be read stands in its place.
std::string shown_text_of_file(const std::filesystem::path& file);

}  // namespace viewer
