#pragma once
// A text file, whole.

#include <filesystem>
#include <string>

namespace viewer {

/// Empty if it can't be read: pages show what there is.
std::string text_of_file(const std::filesystem::path& file);

}  // namespace viewer
