#include "viewer/course/report_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "viewer/course/line_cost.h"
#include "viewer/text/markdown_view.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

constexpr float widest_text = 720;  // points

float width_of_text(const theme& look) {
  return std::max(1.0f, std::min(ImGui::GetContentRegionAvail().x, look.px(widest_text)));
}

void say(const std::string& text, ImU32 ink, const theme& look, float indent = 0) {
  ImGui::PushStyleColor(ImGuiCol_Text, ink);
  if (indent > 0) ImGui::Indent(indent);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width_of_text(look) - indent);
  unformatted(text);
  ImGui::PopTextWrapPos();
  if (indent > 0) ImGui::Unindent(indent);
  ImGui::PopStyleColor();
}

// The text broken at blanks into lines no wider than `width`, where its words allow it.
std::vector<std::string> lines_of(const std::string& text, float width) {
  std::vector<std::string> lines{""};
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string longer = lines.back() + (lines.back().empty() ? "" : " ") + text.substr(begin, end - begin);
    if (lines.back().empty() || ImGui::CalcTextSize(longer.c_str()).x <= width)
      lines.back() = longer;
    else
      lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}
float width_of(const std::vector<std::string>& lines) {
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, ImGui::CalcTextSize(line.c_str()).x);
  return width;
}

// Widens the columns whose headings take the most lines, as long as there is room for a line less.
void use_room(std::vector<float>& widths, std::vector<std::vector<std::string>>& heads,
              const std::vector<std::string>& head, float room) {
  for (;;) {
    const auto tallest =
        static_cast<std::size_t>(std::ranges::max_element(heads, {}, &std::vector<std::string>::size) - heads.begin());
    const std::size_t lines = heads[tallest].size();
    if (lines < 2) return;
    float wider = widths[tallest];
    while (heads[tallest].size() == lines) {
      wider += ImGui::GetFontSize() / 4;
      if (wider - widths[tallest] > room) {
        heads[tallest] = lines_of(head[tallest], widths[tallest]);
        return;
      }
      heads[tallest] = lines_of(head[tallest], wider);
    }
    room -= wider - widths[tallest];
    widths[tallest] = wider;
  }
}

// A table of texts; numbers are right-aligned. Where room is short, headings take several lines, and a table that is
// still too wide scrolls.
void draw_grid(const void* id, const std::string& title, const std::vector<std::string>& head,
               const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right, const theme& look) {
  if (!title.empty()) {
    ImGui::PushFont(look.bold);
    say(title, look.ink, look);
    ImGui::PopFont();
  }
  const auto columns = static_cast<int>(head.size());
  if (columns == 0 || columns >= 64) return;
  const ImVec2 padding = ImGui::GetStyle().CellPadding;
  const auto total = [&](const std::vector<float>& widths) {
    return std::accumulate(widths.begin(), widths.end(), padding.x * static_cast<float>(2 * columns - 1));
  };
  std::vector<float> widths, least;
  std::vector<std::vector<std::string>> heads;
  for (std::size_t c = 0; c < head.size(); ++c) {
    float width = 0;
    for (const auto& row : rows) width = std::max(width, ImGui::CalcTextSize(row[c].c_str()).x);
    widths.push_back(std::max(width, ImGui::CalcTextSize(head[c].c_str()).x));
    heads.push_back(lines_of(head[c], std::max(width, ImGui::GetFontSize())));
    least.push_back(std::max(width, width_of(heads.back())));
  }
  const float room = ImGui::GetContentRegionAvail().x;
  if (total(widths) > room) {
    widths = least;
    use_room(widths, heads, head, room - total(least));
  } else {
    for (std::size_t c = 0; c < head.size(); ++c) heads[c] = {head[c]};
  }
  const std::size_t head_lines = std::ranges::max(heads, {}, &std::vector<std::string>::size).size();

  ImGui::PushID(id);
  const bool scrolls = total(widths) > room;
  if (scrolls) {
    const float height = ImGui::GetTextLineHeight() * static_cast<float>(head_lines + rows.size()) +
                         2 * padding.y * static_cast<float>(rows.size() + 1) + ImGui::GetStyle().ScrollbarSize +
                         look.px(4);
    ImGui::SetNextWindowContentSize({total(widths), 0});
    ImGui::BeginChild("wide", {room, height}, false, ImGuiWindowFlags_HorizontalScrollbar);
  }
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit |
                                ImGuiTableFlags_NoHostExtendX | ImGuiTableFlags_NoSavedSettings;
  if (ImGui::BeginTable("table", columns, flags)) {
    const auto cell = [&](const std::string& text, std::size_t column, ImU32 ink) {
      if (right[column]) {
        const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
        if (space > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
      }
      ImGui::PushStyleColor(ImGuiCol_Text, ink);
      unformatted(text);
      ImGui::PopStyleColor();
    };
    for (const float width : widths) ImGui::TableSetupColumn(nullptr, ImGuiTableColumnFlags_WidthFixed, width);
    ImGui::TableNextRow();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
    for (std::size_t c = 0; c < heads.size(); ++c) {
      if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
      for (const std::string& line : heads[c]) cell(line, c, look.faint_ink);
    }
    ImGui::PopStyleVar();
    for (const auto& row : rows) {
      ImGui::TableNextRow();
      for (std::size_t c = 0; c < row.size(); ++c)
        if (ImGui::TableSetColumnIndex(static_cast<int>(c))) cell(row[c], c, look.ink);
    }
    ImGui::EndTable();
  }
  if (scrolls) ImGui::EndChild();
  ImGui::PopID();
}

struct item_drawer {
  const theme& look;
  std::optional<gs::source_place> pressed = {};

  void operator()(const workbook::heading& h) {
    ImGui::Dummy(ImVec2(0, look.px(8)));
    ImGui::PushFont(look.heading);
    say(h.text, look.ink, look);
    ImGui::PopFont();
  }
  void operator()(const workbook::paragraph& p) { say(p.text, look.ink, look); }

  void operator()(const workbook::table& t) {
    std::vector<std::string> head;
    std::vector<bool> right;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      head.push_back(t.columns[c].name + (t.columns[c].unit.empty() ? "" : " [" + t.columns[c].unit + "]"));
      right.push_back(std::ranges::any_of(t.rows, [&](const auto& row) { return row[c].is_number(); }));
    }
    for (const auto& cells : t.rows) {
      auto& row = rows.emplace_back();
      for (std::size_t c = 0; c < cells.size(); ++c)
        row.push_back(workbook::to_text(cells[c], t.columns[c].digits.value_or(4)));
    }
    draw_grid(&t, t.title, head, rows, right, look);
  }

  void operator()(const workbook::check& c) {
    ImGui::PushFont(look.bold);
    say(c.passed ? "✓" : "✗", c.passed ? look.good : look.bad, look);
    ImGui::PopFont();
    ImGui::SameLine(0, look.px(6));
    std::string text = c.name;
    if (!c.passed && !c.expected.empty())
      text += fmt::format(": expected {}, got {}", c.expected, c.got);
    else if (!c.got.empty())
      text += fmt::format("  ({})", c.got);
    say(text, c.passed ? look.ink : look.bad, look);
  }

  void operator()(const workbook::tested_prediction& p) {
    ImGui::PushFont(look.bold);
    say(p.asked.question, look.ink, look);
    ImGui::PopFont();
    say("your guess: " + (p.guess ? answer_text(p.asked, *p.guess) : "none"), look.ink, look, look.px(16));
    say("measured: " + answer_text(p.asked, p.measured) + comparison_text(p), look.ink, look, look.px(16));
  }

  void operator()(const workbook::timed_statement& t) {
    const double mean = t.time.mean();
    if (std::isnan(mean)) return;
    std::string rates;
    if (t.work.bytes > 0 && mean > 0) rates += "  " + to_text(workbook::bytes_per_second(t.work.bytes / mean));
    if (t.work.operations > 0 && mean > 0)
      rates += "  " + to_text(workbook::operations_per_second(t.work.operations / mean));
    ImGui::PushFont(look.bold);
    say(t.name, look.ink, look);
    ImGui::PopFont();
    say(gs::to_string(t.time) + rates, look.ink, look, look.px(16));
  }

  void operator()(const workbook::account_entry& e) {
    ImGui::PushFont(look.bold);
    say(e.name, look.ink, look);
    ImGui::PopFont();
    say(gs::to_string(e.account), look.ink, look, look.px(16));
  }

  void operator()(const workbook::inspection_entry& e) {
    if (e.result.findings.empty()) say("✓ The instruments found nothing.", look.good, look);
    int id = 0;
    ImGui::PushID(&e);
    for (const gs::finding& f : e.result.findings) {
      ImGui::PushID(id++);
      ImGui::PushStyleColor(ImGuiCol_Text, look.bad);
      const std::string place = to_string(f.access.where);
      if (ImGui::Selectable(fmt::format("{}  {}", in_words(to_string(f.kind)), place).c_str(), false, 0,
                            ImVec2(width_of_text(look), 0)))
        pressed = f.access.where;
      ImGui::PopStyleColor();
      say(f.meaning, look.ink, look, look.px(16));
      if (!f.hint.empty()) say(f.hint, look.faint_ink, look, look.px(16));
      ImGui::PopID();
    }
    ImGui::PopID();
    counters(e.result);
  }

  void counters(const gs::inspection& i) {
    std::vector<std::vector<std::string>> rows;
    const auto grouped = [](std::uint64_t n) { return workbook::grouped(static_cast<long long>(n)); };
    for (const gs::line_counters& l : i.lines) {
      const line_cost c = cost_of(l);
      rows.push_back({l.kernel, fmt::format("{}", l.where.line), std::string(to_string(l.kind)), l.array,
                      std::string(to_string(l.space)), grouped(l.requests), workbook::significant(l.active_lanes(), 3),
                      fmt::format("{} {}", grouped(c.cost), c.unit), grouped(c.ideal),
                      c.ideal > 0 ? workbook::significant(c.times_ideal(), 3) : ""});
    }
    if (rows.empty()) return;
    draw_grid(
        &i, "Counters",
        {"kernel", "line", "access", "array", "memory", "requests", "active lanes", "cost", "ideal", "times ideal"},
        rows, {false, true, false, false, false, true, true, true, true, true}, look);
  }

  void operator()(const workbook::plot&) {}  // by a widget
};

float height_of(const workbook::plot& p, float width, const theme& look) {
  if (std::holds_alternative<workbook::heat_map>(p)) return std::min(width * 0.8f, look.px(440));
  if (std::holds_alternative<workbook::access_picture>(p)) return std::min(width * 0.6f, look.px(360));
  if (const auto* d = std::get_if<workbook::diagram>(&p)) {
    const workbook::picture_size own = d->size();
    return std::min(width * static_cast<float>(own.height / own.width), look.px(static_cast<float>(own.height)));
  }
  // The rows of a timeline are as high in a narrow window as in a wide window: only time is squeezed.
  if (const auto* t = std::get_if<workbook::timeline>(&p)) return look.px(static_cast<float>(t->size().height));
  return std::clamp(width * 0.5f, look.px(160), look.px(320));
}

}  // namespace

plot_widget& report_view::widget_of(std::size_t position, const std::shared_ptr<const workbook::item>& item) {
  // The plot lives as long as its item.
  const std::shared_ptr<const workbook::plot> plot(item, &std::get<workbook::plot>(*item));
  const auto found = plots_.find(position);
  if (found == plots_.end())
    return plots_.try_emplace(position, shown_plot{item, plot_widget(plot)}).first->second.widget;
  shown_plot& shown = found->second;
  if (shown.item != item) {
    if (shown.widget.shown().index() == plot->index() && title_of(shown.widget.shown()) == title_of(*plot))
      shown.widget.set(plot);
    else
      shown.widget = plot_widget(plot);
    shown.item = item;
  }
  return shown.widget;
}

bool report_view::working() const {
  return std::ranges::any_of(plots_, [](const auto& shown) { return shown.second.widget.working(); });
}

std::optional<gs::source_place> report_view::draw(const items& entries, const theme& look) {
  item_drawer drawer{look};
  std::size_t kind = std::variant_npos;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k]->index() != kind) ImGui::Dummy(ImVec2(0, look.px(4)));
    kind = entries[k]->index();
    if (const auto* plot = std::get_if<workbook::plot>(entries[k].get())) {
      if (workbook::only_nan(*plot)) continue;
      const float width = std::max(1.0f, std::min(ImGui::GetContentRegionAvail().x, look.px(800)));
      widget_of(k, entries[k])
          .draw(fmt::format("##plot {}", k).c_str(), ImVec2(width, height_of(*plot, width, look)), look);
    } else {
      std::visit(drawer, *entries[k]);
    }
  }
  plots_.erase(plots_.lower_bound(entries.size()), plots_.end());
  return drawer.pressed;
}

}  // namespace viewer
