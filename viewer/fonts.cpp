#include "viewer/fonts.h"

#include <ft2build.h>
#include <imgui_freetype.h>
#include FT_FREETYPE_H

#include <cstdlib>
#include <string>
#include <system_error>

namespace viewer {
namespace {

namespace fs = std::filesystem;

// Latin, Greek, punctuation, superscripts, arrows, mathematics, boxes and blocks, shapes, ticks and crosses.
constexpr ImWchar signs[] = {0x0020, 0x017f, 0x0394, 0x0394, 0x03a3, 0x03a3, 0x03a9, 0x03a9, 0x03b1,
                             0x03c9, 0x2010, 0x2026, 0x2030, 0x2033, 0x2070, 0x209c, 0x2190, 0x2195,
                             0x21d2, 0x21d2, 0x2200, 0x2265, 0x2300, 0x2318, 0x23ce, 0x23fa, 0x2500,
                             0x25ff, 0x2605, 0x2606, 0x2713, 0x2717, 0xfffd, 0xfffd, 0};

// ASCII for characters that ImGui's own font lacks.
struct likeness {
  ImWchar sign;
  char ascii;
};
constexpr likeness likenesses[] = {
    {0x0394, 'D'}, {0x03a3, 'S'}, {0x03a9, 'O'},  {0x03bc, 'u'},  {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'},
    {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2022, '*'},
    {0x2026, '.'}, {0x2190, '<'}, {0x2191, '^'},  {0x2192, '>'},  {0x2193, 'v'}, {0x2212, '-'}, {0x221a, 'V'},
    {0x221e, '8'}, {0x2248, '~'}, {0x2260, '#'},  {0x2264, '<'},  {0x2265, '>'}, {0x25b2, '^'}, {0x25b6, '>'},
    {0x25bc, 'v'}, {0x25cf, '*'}, {0x2713, 'v'},  {0x2717, 'x'}};

// As ImGui counts: from the highest letter to the lowest.
constexpr float text_size = 17, heading_size = 26, code_size = 17;

void set_likenesses(ImFont& font) {
  const auto set = [&font](int code, char ascii) {
    const auto sign = static_cast<ImWchar>(code);
    if (font.FindGlyphNoFallback(sign) == nullptr) font.AddRemapChar(sign, static_cast<ImWchar>(ascii));
  };
  for (const auto& [sign, ascii] : likenesses) set(sign, ascii);
  for (const int flat : {0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254c, 0x2550}) set(flat, '-');
  for (const int upright : {0x2502, 0x2503, 0x2506, 0x250a, 0x2551}) set(upright, '|');
  for (int box = 0x2500; box < 0x2580; ++box) set(box, '+');
  for (int block = 0x2580; block < 0x25a0; ++block) set(block, '#');
}

// ImGui takes it for granted that a file can be read and is a font.
bool is_font(const fs::path& file) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  if (file.empty() || FT_Init_FreeType(&library) != 0) return false;
  const bool can_be_read = FT_New_Face(library, file.c_str(), 0, &face) == 0;
  FT_Done_FreeType(library);  // with its face
  return can_be_read;
}

ImFont* load(const fs::path& file, float size, const fs::path& for_missing_signs) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto add = [&](const fs::path& from, bool merged) -> ImFont* {
    if (!is_font(from)) return nullptr;
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.MergeMode = merged;
    return atlas.AddFontFromFileTTF(from.c_str(), size, &config, signs);
  };
  ImFont* font = add(file, false);
  if (font == nullptr) {
    ImFontConfig config;
    config.SizePixels = size * 13 / 17;  // its letters are larger than Inter's
    return atlas.AddFontDefault(&config);
  }
  if (for_missing_signs != file) add(for_missing_signs, true);
  return font;
}

}  // namespace

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders{"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/jetbrains-mono",
                                "/usr/share/fonts/truetype/inter", "/usr/local/share/fonts"};
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    folders.push_back(fs::path(home) / ".local/share/fonts");
  return folders;
}

font_files find_fonts(const std::vector<fs::path>& folders) {
  font_files found;
  const auto fill = [](fs::path& place, const fs::path& file, std::string_view name) {
    if (place.empty() && file.stem() == name) place = file;
  };
  for (const auto& folder : folders) {
    std::error_code failed;  // a folder that isn't there has no fonts
    for (fs::recursive_directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
      const auto ending = file->path().extension();
      if (ending != ".otf" && ending != ".ttf") continue;
      fill(found.text, file->path(), "Inter-Regular");
      fill(found.bold, file->path(), "Inter-SemiBold");
      fill(found.code, file->path(), "JetBrainsMono-Regular");
    }
  }
  if (found.bold.empty()) found.bold = found.text;
  return found;
}

void load_fonts(theme& look, const font_files& files) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  atlas.TexDesiredWidth = 2048;
  look.text = load(files.text, look.px(text_size), files.code);
  look.bold = load(files.bold, look.px(text_size), files.code);
  look.heading = load(files.bold, look.px(heading_size), {});
  look.code = load(files.code, look.px(code_size), files.text);
  look.small = load(files.text, look.px(14), files.code);
  atlas.Build();
  for (ImFont* font : atlas.Fonts) set_likenesses(*font);
  ImGui::GetIO().FontDefault = look.text;
}

}  // namespace viewer
