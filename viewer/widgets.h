#pragma once
// The viewer's own widgets, beside ImGui's.

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "viewer/theme.h"

namespace viewer {

/// The beginning of a text that one call of ImGui can draw, since ImGui counts vertices, four a letter, in 16 bits: all
/// of it, or the first 10,000 bytes, cut between two characters.
std::string_view drawable(std::string_view text);
/// ImGui::TextUnformatted for texts of any length: of a very long one the beginning, and how much is missing.
void unformatted(std::string_view text);
/// A label that ImGui can tell apart from others by its number; never empty.
std::string item_name(std::string_view shown, std::size_t number);

/// Text in a font and a colour of the theme, wrapped at the window's edge.
void text(ImFont* font, ImU32 colour, std::string_view shown);
void heading(const theme& look, std::string_view shown);
/// A remark: fainter, of the same size.
void note(const theme& look, std::string_view shown);

/// The label of the widget that follows in the same line.
void label(const theme& look, std::string_view shown);

/// As wide as a list to choose from must be, arrow included, for none of its entries to be cut; at most as wide as the
/// window.
float width_of_list(const std::vector<std::string>& entries);

/// The most important button of a page, in the accent colour.
bool main_button(const theme& look, const char* label);

/// A line to press, wrapped at the window's edge. True when it was.
bool wrapped_line(ImU32 colour, std::string_view shown);

/// "race_between_blocks", as documents name a kind of finding, in words.
std::string in_words(std::string_view name);

/// Shown while the mouse rests on the last widget.
void tip(std::string_view shown);

/// A spinner, and what is being worked on.
void busy_sign(const theme& look, std::string_view activity);

/// A surface with a border around all that is drawn while it lives, `width` pixels wide and as high as that needs.
class card {
 public:
  card(const theme& look, float width);
  ~card();
  card(const card&) = delete;
  card& operator=(const card&) = delete;

  float inner_width() const { return inner_width_; }

 private:
  const theme& look_;
  ImVec2 at_;
  float width_, inner_width_;
  ImDrawListSplitter layers_;
};

}  // namespace viewer
