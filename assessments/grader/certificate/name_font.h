#pragma once
// A font that has the letters of a name, whatever its script.

#include <string>

namespace grader {

struct name_font {
  std::string family;   ///< for workbook::font
  std::string missing;  ///< the letters that no installed font has together with the others; drawn as boxes
};

/// The preferred family if it has all letters of the text, else the installed font that lacks fewest (fontconfig
/// decides).
name_font font_for(const std::string& text, const std::string& preferred);

}  // namespace grader
