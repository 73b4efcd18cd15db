// Colours that can be read, and letters that are there.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/viewer/driven_viewer.h"
#include "viewer/pages/all_pages.h"
#include "viewer/text/file_text.h"
#include "viewer/theme.h"

namespace {

using viewer::brightness;

TEST(viewer_theme, contrast_is_that_of_wcag) {
  EXPECT_NEAR(viewer::contrast(IM_COL32_BLACK, IM_COL32_WHITE), 21, 1e-9);
  EXPECT_NEAR(viewer::contrast(IM_COL32_WHITE, IM_COL32_WHITE), 1, 1e-9);
  EXPECT_NEAR(viewer::contrast(IM_COL32(0x77, 0x77, 0x77, 255), IM_COL32_WHITE), 4.478, 1e-3);  // known to just fail
  EXPECT_NEAR(viewer::contrast(IM_COL32(0, 0, 255, 255), IM_COL32_BLACK), 2.44, 1e-2);
}

TEST(viewer_theme, every_text_can_be_read) {
  for (const auto b : {brightness::light, brightness::dark}) {
    const auto look = viewer::make_theme(b, 1);
    for (const ImU32 paper : {look.background, look.surface})
      for (const ImU32 ink : {look.ink, look.faint_ink, look.accent, look.good, look.bad, look.warning})
        EXPECT_GE(viewer::contrast(ink, paper), 4.5) << std::hex << ink << " on " << paper;
    EXPECT_GE(viewer::contrast(look.surface, look.accent), 4.5) << "the main button's label";
    EXPECT_LT(viewer::contrast(look.line, look.background), 3) << "lines are calm";
    EXPECT_GT(viewer::contrast(look.line, look.background), 1.1) << "but there";
  }
}

TEST(viewer_theme, light_and_dark_are_what_they_are_called) {
  const auto light = viewer::make_theme(brightness::light, 2), dark = viewer::make_theme(brightness::dark, 2);
  EXPECT_GT(viewer::contrast(light.background, IM_COL32_BLACK), viewer::contrast(dark.background, IM_COL32_BLACK) + 10);
  EXPECT_EQ(light.px(7), 14);
  EXPECT_EQ(viewer::faded(IM_COL32(1, 2, 3, 255), 0.5f), IM_COL32(1, 2, 3, 128));
}

constexpr ImWchar signs[] = {L'a', L'µ', L'±', L'Δ', L'≤', L'≥', L'→', L'←', L'✓', L'✗', L'…',      L'²',
                             L'³', L'×', L'·', L'Ω', L'–', L'─', L'│', L'┌', L'╯', L'█', L'\x2212', L'\x03bc'};

TEST(viewer_fonts, have_every_sign_that_pages_need) {
  const viewer::null_surface surface({100, 100});
  const auto files = viewer::find_fonts();
  if (files.text.empty() || files.code.empty()) GTEST_SKIP() << "Inter or JetBrains Mono isn't installed";
  for (const float scale : {1.0f, 2.0f}) {
    auto look = viewer::make_theme(brightness::light, scale);
    viewer::load_fonts(look, files);
    for (const ImFont* font : {look.text, look.bold, look.code})
      for (const ImWchar sign : signs) EXPECT_NE(font->FindGlyphNoFallback(sign), nullptr) << "U+" << std::hex << sign;
    EXPECT_EQ(look.text->FontSize, 17 * scale);
    EXPECT_GT(look.heading->FontSize, look.text->FontSize);
    const float narrow = look.code->CalcTextSizeA(20, FLT_MAX, 0, "iii").x;
    EXPECT_EQ(narrow, look.code->CalcTextSizeA(20, FLT_MAX, 0, "WWW").x) << "the code's letters are of one width";
    EXPECT_NE(look.text->CalcTextSizeA(20, FLT_MAX, 0, "iii").x, look.text->CalcTextSizeA(20, FLT_MAX, 0, "WWW").x);
  }
}

// The characters beyond ASCII in a text of UTF-8.
std::set<unsigned> characters_of(const std::string& text) {
  std::set<unsigned> characters;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned code = 0;
    at += ImTextCharFromUtf8(&code, at, end);
    if (code >= 0x80) characters.insert(code);
  }
  return characters;
}

TEST(viewer_fonts, have_every_character_of_the_lessons) {
  const viewer::null_surface surface({100, 100});
  const auto files = viewer::find_fonts();
  if (files.text.empty() || files.code.empty()) GTEST_SKIP() << "Inter or JetBrains Mono isn't installed";
  auto look = viewer::make_theme(brightness::light, 1);
  viewer::load_fonts(look, files);
  std::size_t texts = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(LESSON_SOURCES)) {
    const auto ending = file.path().extension();
    if (ending != ".md" && ending != ".cpp" && ending != ".h") continue;
    ++texts;
    for (const unsigned code : characters_of(viewer::text_of_file(file.path())))
      for (const ImFont* font : {look.text, look.bold, look.code})
        EXPECT_NE(font->FindGlyphNoFallback(static_cast<ImWchar>(code)), nullptr)
            << "U+" << std::hex << code << " in " << file.path();
  }
  EXPECT_GT(texts, 100u) << "the lessons weren't found";
}

TEST(viewer_fonts, that_are_missing_are_replaced) {
  const gridstride_test::temporary_folder empty;
  const auto files = viewer::find_fonts({empty.path(), empty.path() / "not there"});
  EXPECT_TRUE(files.text.empty() && files.bold.empty() && files.code.empty());
  const viewer::null_surface surface({100, 100});
  auto look = viewer::make_theme(brightness::light, 1);
  viewer::load_fonts(look, files);
  for (ImFont* font : {look.text, look.bold, look.heading, look.code}) {
    ASSERT_NE(font, nullptr);
    for (const ImWchar sign : signs) EXPECT_NE(font->FindGlyphNoFallback(sign), nullptr) << "U+" << std::hex << sign;
    EXPECT_EQ(font->FindGlyphNoFallback(L'→'), font->FindGlyphNoFallback(L'>'));
    EXPECT_EQ(font->FindGlyphNoFallback(L'─'), font->FindGlyphNoFallback(L'-'));
    EXPECT_EQ(font->FindGlyphNoFallback(L'│'), font->FindGlyphNoFallback(L'|'));
  }
}

TEST(viewer_fonts, that_cannot_be_read_are_replaced) {
  const viewer::null_surface surface({100, 100});
  auto look = viewer::make_theme(brightness::light, 1);
  viewer::load_fonts(look, {.text = __FILE__, .bold = "/not/there.otf", .code = {}});
  EXPECT_TRUE(look.text != nullptr && look.bold != nullptr && look.code != nullptr);
  EXPECT_TRUE(ImGui::GetIO().Fonts->IsBuilt());
}

}  // namespace
