#pragma once
// The viewer's fonts: Inter and JetBrains Mono, as Debian installs them.

#include <filesystem>
#include <vector>

#include "viewer/theme.h"

namespace viewer {

/// Where the fonts' files are. An empty path: not found.
struct font_files {
  std::filesystem::path text = {}, bold = {}, code = {};
};

/// Debian's folders and the user's own.
std::vector<std::filesystem::path> font_folders();
/// Looks for Inter-Regular, Inter-SemiBold and JetBrainsMono-Regular below the folders.
font_files find_fonts(const std::vector<std::filesystem::path>& folders = font_folders());

/// Rasterises the fonts of the current ImGui context at the theme's scale. A missing font is replaced by ImGui's own,
/// where characters beyond Latin-1 look like the nearest in ASCII: an arrow is a ">". Call this between frames; the
/// texture must then be uploaded again.
void load_fonts(theme& look, const font_files& files);

}  // namespace viewer
