#pragma once
// The viewer's letters: Inter and JetBrains Mono, as Debian installs them.

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

/// Draws all letters of the current ImGui context anew, at the theme's scale, and sets its fonts. A font that isn't
/// there is replaced by ImGui's own, where signs beyond Latin-1 look like the nearest of ASCII: an arrow is a ">".
/// To be called between frames; the texture must then be sent to the graphics card again.
void load_fonts(theme& look, const font_files& files);

}  // namespace viewer
