#include "viewer/text/source_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/text/file_text.h"
#include "viewer/widgets.h"

namespace viewer {
namespace {

ImU32 colour_of(cpp_part part, const theme& look) {
  switch (part) {
    case cpp_part::keyword:
      return look.accent;
    case cpp_part::comment:
      return look.faint_ink;
    case cpp_part::text:
    case cpp_part::number:
      return look.good;
    case cpp_part::directive:
      return look.warning;
    case cpp_part::plain:
      break;
  }
  return look.ink;
}

ImU32 colour_of(gravity g, const theme& look) {
  return g == gravity::error ? look.bad : g == gravity::warning ? look.warning : look.accent;
}

}  // namespace

source_view::source_view(std::filesystem::path file) : file_(std::move(file)) { read(); }

source_view source_view::of_text(std::string text) {
  source_view v;
  v.text_ = std::move(text);
  v.split();
  return v;
}

void source_view::read() {
  std::error_code none;
  changed_ = std::filesystem::last_write_time(file_, none);
  text_ = shown_text_of_file(file_);
  split();
}

void source_view::split() {
  lines_.clear();
  spans_.clear();
  bool in_comment = false;
  for (std::string_view left = text_; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    lines_.emplace_back(left.substr(0, end));
    spans_.push_back(cpp_spans(lines_.back(), in_comment));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
}

bool source_view::reload_if_changed() {
  std::error_code none;
  const auto now = std::filesystem::last_write_time(file_, none);
  if (none || now == changed_) return false;  // an editor may be about to put it there
  read();
  return true;
}

void source_view::draw(const char* label, ImVec2 size, const theme& look) {
  ImGui::PushFont(look.code);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, look.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(3)));
  ImGui::BeginChild(label, size, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
  const float letter = ImGui::CalcTextSize("0").x, height = ImGui::GetTextLineHeightWithSpacing();
  const float margin = letter * static_cast<float>(std::max<std::size_t>(3, std::to_string(lines_.size()).size()) + 2);
  if (target_line_ > 0) {
    ImGui::SetScrollY(std::max(0.0f, static_cast<float>(target_line_) * height - size.y / 3));
    target_line_ = 0;
  }
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines_.size()), height);
  while (clipper.Step())
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
      const std::string_view line = lines_[static_cast<std::size_t>(k)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth();
      const auto [first, last] = notes_.equal_range(k + 1);
      const ImVec2 top(left, at.y - look.px(1)), bottom(right, at.y + height - look.px(1));
      if (first != last)
        draw.AddRectFilled(top, bottom, faded(colour_of(first->second.grave, look), 0.16f));
      else if (k + 1 == marked_line_)
        draw.AddRectFilled(top, bottom, faded(look.accent, 0.12f));
      const std::string number = fmt::format("{}", k + 1);
      draw.AddText(ImVec2(at.x + margin - letter * static_cast<float>(number.size() + 2), at.y),
                   first != last ? colour_of(first->second.grave, look) : look.faint_ink, number.c_str());
      float x = at.x + margin;
      for (const cpp_span& span : spans_[static_cast<std::size_t>(k)]) {
        const char* begin = line.data() + span.begin;
        draw.AddText(ImVec2(x, at.y), colour_of(span.part, look), begin, begin + span.size);
        x += ImGui::CalcTextSize(begin, begin + span.size).x;
      }
      ImGui::Dummy(ImVec2(x - at.x, height - look.px(3)));
      if (first != last && ImGui::IsMouseHoveringRect(top, bottom) && ImGui::IsWindowHovered()) {
        ImGui::BeginTooltip();
        for (auto note = first; note != last; ++note) {
          ImGui::PushTextWrapPos(look.px(480));
          ImGui::PushStyleColor(ImGuiCol_Text, colour_of(note->second.grave, look));
          unformatted(note->second.text);
          ImGui::PopStyleColor();
          ImGui::PopTextWrapPos();
        }
        ImGui::EndTooltip();
      }
    }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace viewer
