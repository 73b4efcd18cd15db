#include "viewer/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace viewer {

std::string_view drawable(std::string_view text) {
  constexpr std::size_t most = 10'000;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // within a character of UTF-8
  return text.substr(0, end);
}

void unformatted(std::string_view text) {
  const std::string_view drawn = drawable(text);
  ImGui::TextUnformatted(drawn.data(), drawn.data() + drawn.size());
  if (drawn.size() == text.size()) return;
  const std::string missing = fmt::format("… and {} bytes more", text.size() - drawn.size());
  ImGui::TextUnformatted(missing.data(), missing.data() + missing.size());
}

std::string item_name(std::string_view shown, std::size_t number) {
  return fmt::format("{}##{}", shown.empty() ? "(no name)" : drawable(shown), number);
}

void text(ImFont* font, ImU32 colour, std::string_view shown) {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  // A card has its own edge for the text to be wrapped at.
  const bool wrapped = ImGui::GetCurrentWindow()->DC.TextWrapPos >= 0;
  if (!wrapped) ImGui::PushTextWrapPos(0);
  unformatted(shown);
  if (!wrapped) ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void heading(const theme& look, std::string_view shown) { text(look.heading, look.ink, shown); }
void note(const theme& look, std::string_view shown) { text(look.text, look.faint_ink, shown); }

void label(const theme& look, std::string_view shown) {
  ImGui::AlignTextToFramePadding();
  text(look.text, look.faint_ink, shown);
  ImGui::SameLine();
}

float width_of_list(const std::vector<std::string>& entries) {
  float widest = 0;
  for (const std::string& entry : entries) widest = std::max(widest, ImGui::CalcTextSize(entry.c_str()).x);
  const float around = 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
  const float window = ImGui::GetContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  return std::max(1.0f, std::min(std::ceil(widest + around), window));
}

bool main_button(const theme& look, const char* label) {
  ImGui::PushStyleColor(ImGuiCol_Button, look.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, faded(look.accent, 0.88f));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, faded(look.accent, 0.76f));
  ImGui::PushStyleColor(ImGuiCol_Border, look.accent);
  ImGui::PushStyleColor(ImGuiCol_Text, look.surface);
  const bool pressed = ImGui::Button(label);
  ImGui::PopStyleColor(5);
  return pressed;
}

bool wrapped_line(ImU32 colour, std::string_view shown) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string_view drawn = drawable(shown);
  const char *begin = drawn.data(), *end = begin + drawn.size();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed =
      ImGui::Selectable("##line", false, 0, ImVec2(0, ImGui::CalcTextSize(begin, end, false, width).y));
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, colour, begin, end, width);
  return pressed;
}

std::string in_words(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

void tip(std::string_view shown) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
  unformatted(shown);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void busy_sign(const theme& look, std::string_view activity) {
  const float size = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto begin = static_cast<float>(std::fmod(ImGui::GetTime() * 5, 2 * IM_PI));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PathArcTo({at.x + size / 2, at.y + size / 2}, size * 0.36f, begin, begin + 4.4f);
  list.PathStroke(look.accent, 0, look.px(2));
  ImGui::Dummy({size, size});
  ImGui::SameLine();
  note(look, activity);
}

card::card(const theme& look, float width)
    : look_(look), at_(ImGui::GetCursorScreenPos()), width_(width), inner_width_(width - 2 * look.px(16)) {
  layers_.Split(ImGui::GetWindowDrawList(), 2);
  layers_.SetCurrentChannel(ImGui::GetWindowDrawList(), 1);
  ImGui::BeginGroup();
  ImGui::SetCursorScreenPos({at_.x + look.px(16), at_.y + look.px(13)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::max(inner_width_, 1.0f));
}

card::~card() {
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + look_.px(13);
  ImGui::SetCursorScreenPos(at_);
  ImGui::Dummy({width_, bottom - at_.y});
  ImGui::EndGroup();
  ImDrawList* list = ImGui::GetWindowDrawList();
  layers_.SetCurrentChannel(list, 0);
  list->AddRectFilled(at_, {at_.x + width_, bottom}, look_.surface, look_.px(7));
  list->AddRect(at_, {at_.x + width_, bottom}, look_.line, look_.px(7));
  layers_.Merge(list);
}

}  // namespace viewer
