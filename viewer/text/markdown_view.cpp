#include "viewer/text/markdown_view.h"
#include "viewer/widgets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace viewer {
namespace {

using kind = block_kind;

constexpr float widest_text = 720;  // points: about 100 letters
constexpr float line_spacing = 1.42f;

// A word, or the blanks between two.
struct word {
  std::string_view text;
  const text_run* run;
  ImFont* font;
  float width;
  bool blank;
};

std::vector<word> words_of(const runs& text_runs, const theme& look, ImFont* usual) {
  std::vector<word> words;
  for (const text_run& run : text_runs) {
    ImFont* font = run.code ? look.code : run.bold || run.italic ? look.bold : usual;
    for (std::size_t begin = 0; begin < run.text.size();) {
      const bool blank = run.text[begin] == ' ';
      const std::size_t end =
          std::min(blank ? run.text.find_first_not_of(' ', begin) : run.text.find(' ', begin), run.text.size());
      const std::string_view text = std::string_view(run.text).substr(begin, end - begin);
      words.push_back({text, &run, font,
                       font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x,
                       blank});
      begin = end;
    }
  }
  return words;
}

void draw_code(const text_block& b, const theme& look, float width) {
  ImGui::PushFont(look.code);
  const ImVec2 size = ImGui::CalcTextSize(b.code.data(), b.code.data() + b.code.size());
  const float pad = look.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Lines aren't broken: a long one scrolls.
  const bool scrolls = size.x + 2 * pad > width;
  const float height = size.y + 2 * pad + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
  ImGui::PushID(&b);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, look.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::BeginChild("code", ImVec2(width, height), false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
  unformatted(b.code);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::GetWindowDrawList()->AddRect(at, ImVec2(at.x + width, at.y + height), look.line, look.px(4));
  if (ImGui::BeginPopupContextItem("copy")) {
    if (ImGui::MenuItem("Copy")) ImGui::SetClipboardText(b.code.c_str());
    ImGui::EndPopup();
  }
  ImGui::PopID();
  ImGui::PopFont();
}

// What each column of a table is given of `room`. If no cell has to be wrapped, the columns are in proportion to their
// texts; else each has at least its longest word, and the rest goes to those whose texts are the longest.
std::vector<float> widths_of_columns(const text_block& table, const theme& look, float room) {
  std::vector<float> least(table.rows[0].size(), 1), natural(least);
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t k = 0; k < std::min(least.size(), table.rows[r].size()); ++k) {
      float whole = 0;
      for (const word& w : words_of(table.rows[r][k], look, r == 0 ? look.bold : look.text)) {
        least[k] = std::max(least[k], std::ceil(w.width));
        whole += w.width;
      }
      natural[k] = std::max(natural[k], std::ceil(whole));
    }
  const float all_least = std::reduce(least.begin(), least.end()), all = std::reduce(natural.begin(), natural.end());
  std::vector<float> widths;
  for (std::size_t k = 0; k < least.size(); ++k)
    widths.push_back(all <= room         ? natural[k] * room / all
                     : all_least >= room ? least[k] * room / all_least
                                         : least[k] + (natural[k] - least[k]) * (room - all_least) / (all - all_least));
  return widths;
}

std::string draw_table(const text_block& b, const theme& look, float width) {
  std::string link;
  const int columns = b.rows.empty() ? 0 : static_cast<int>(b.rows[0].size());
  if (columns == 0) return link;
  ImGui::PushID(&b);
  if (ImGui::BeginTable(
          "table", columns,
          ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings,
          ImVec2(width, 0))) {
    const float between = 2 * ImGui::GetStyle().CellPadding.x;
    for (const float column : widths_of_columns(b, look, std::max(1.0f, width - between * static_cast<float>(columns))))
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, std::floor(column));
    for (std::size_t r = 0; r < b.rows.size(); ++r) {
      ImGui::TableNextRow();
      for (const runs& cell : b.rows[r]) {
        if (!ImGui::TableNextColumn()) continue;
        const std::string pressed =
            draw_runs(cell, look, ImGui::GetContentRegionAvail().x, r == 0 ? look.bold : look.text);
        if (!pressed.empty()) link = pressed;
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
  return link;
}

void draw_picture(const text_block& b, const std::filesystem::path& folder, const theme& look, picture_store& pictures,
                  float width) {
  const picture_store::picture p = pictures.find(folder / b.code, std::min(width, look.px(560)));
  if (p.texture == nullptr) {
    draw_runs(b.runs, look, width, look.text);
    return;
  }
  const float shown = std::min({width, look.px(560), p.width});
  ImGui::Image(p.texture, ImVec2(shown, shown * p.height / p.width));
  std::string description;
  for (const text_run& run : b.runs) description += run.text;
  if (!description.empty()) tip(description);
}

}  // namespace

std::string draw_runs(const runs& text_runs, const theme& look, float width, ImFont* usual) {
  std::string link;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float height = usual->FontSize * line_spacing;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  float x = 0, y = 0;
  int id = 0;
  ImGui::PushID(&text_runs);
  for (const word& w : words_of(text_runs, look, usual)) {
    if (x > 0 && !w.blank && x + w.width > width) x = 0, y += height;
    if (w.blank && x == 0) continue;
    const ImVec2 at(origin.x + x, origin.y + y + (height - w.font->FontSize) / 2);
    const ImVec2 end(at.x + w.width, at.y + w.font->FontSize);
    x += w.width;
    ImU32 ink = look.ink;
    if (!w.run->link.empty() && !w.blank) {
      ink = look.accent;
      ImGui::SetCursorScreenPos(at);
      ImGui::PushID(id++);
      if (ImGui::InvisibleButton("link", ImVec2(std::max(1.0f, w.width), w.font->FontSize))) link = w.run->link;
      if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw.AddLine(ImVec2(at.x, end.y), end, ink, look.px(1));
      }
      ImGui::PopID();
    }
    if (w.run->code)
      draw.AddRectFilled(ImVec2(at.x - look.px(1), at.y - look.px(1)), ImVec2(end.x + look.px(1), end.y + look.px(1)),
                         look.surface, look.px(3));
    draw.AddText(w.font, w.font->FontSize, at, ink, w.text.data(), w.text.data() + w.text.size());
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(width, y + height));
  return link;
}

markdown_view::markdown_view(std::string_view text, std::filesystem::path folder)
    : blocks_(read_markdown(text)), folder_(std::move(folder)) {}

void markdown_view::leave_out_title() {
  if (!blocks_.empty() && blocks_[0].kind == kind::heading && blocks_[0].level == 1) blocks_.erase(blocks_.begin());
}

std::string markdown_view::draw(const theme& look, picture_store& pictures) const {
  std::string link;
  const float width = std::max(1.0f, std::min(ImGui::GetContentRegionAvail().x, look.px(widest_text)));
  const auto gap = [&](float points) { ImGui::Dummy(ImVec2(0, look.px(points))); };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(4), look.px(2)));
  for (const text_block& b : blocks_) {
    std::string pressed;
    switch (b.kind) {
      case kind::heading:
        if (&b != &blocks_.front()) gap(b.level == 1 ? 14 : 10);
        pressed = draw_runs(b.runs, look, width, b.level <= 2 ? look.heading : look.bold);
        break;
      case kind::paragraph:
        pressed = draw_runs(b.runs, look, width, look.text);
        gap(3);
        break;
      case kind::item: {
        const float indent = look.px(22) * static_cast<float>(b.level);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float marker_width = look.text->CalcTextSizeA(look.text->FontSize, FLT_MAX, 0, b.marker.c_str()).x;
        ImGui::GetWindowDrawList()->AddText(
            look.text, look.text->FontSize,
            ImVec2(at.x + indent - marker_width - look.px(6), at.y + look.text->FontSize * (line_spacing - 1) / 2),
            look.faint_ink, b.marker.c_str());
        ImGui::SetCursorScreenPos(ImVec2(at.x + indent, at.y));
        pressed = draw_runs(b.runs, look, std::max(1.0f, width - indent), look.text);
        break;
      }
      case kind::code:
        draw_code(b, look, width);
        gap(4);
        break;
      case kind::table:
        pressed = draw_table(b, look, width);
        gap(4);
        break;
      case kind::image:
        draw_picture(b, folder_, look, pictures, width);
        gap(4);
        break;
      case kind::rule:
        ImGui::Separator();
        break;
    }
    if (!pressed.empty()) link = pressed;
  }
  ImGui::PopStyleVar();
  return link;
}

}  // namespace viewer
