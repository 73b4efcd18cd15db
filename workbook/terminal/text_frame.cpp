#include "workbook/terminal/text_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

std::string escaped(std::string_view code, std::string_view text, const terminal& t) {
  if (t.colours == colour_depth::none || text.empty()) return std::string(text);
  return fmt::format("{}{}\033[0m", code, text);
}

int position_in(double fraction, int cells) { return std::clamp(static_cast<int>(fraction * cells), 0, cells - 1); }

// The legend's entries side by side, on as many lines as the width asks for.
std::string legend_lines(const std::vector<std::string>& legend, std::size_t width, std::size_t indent) {
  std::string out, line;
  for (const std::string& entry : legend) {
    if (!line.empty() && indent + display_width(line) + 3 + display_width(entry) > width) {
      out += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + entry;
  }
  return line.empty() ? out : out + std::string(indent, ' ') + line + "\n";
}

}  // namespace

std::string colour_code(colour c, bool background, const terminal& t) {
  const int layer = background ? 48 : 38;
  switch (t.colours) {
    case colour_depth::true_colour:
      return fmt::format("\033[{};2;{};{};{}m", layer, c.red, c.green, c.blue);
    case colour_depth::palette_256:
      return fmt::format("\033[{};5;{}m", layer, palette_index(c));
    case colour_depth::none:
      break;
  }
  return "";
}

std::string in_colour(std::string_view text, colour c, const terminal& t) {
  return escaped(colour_code(c, false, t), text, t);
}
std::string in_bold(std::string_view text, const terminal& t) { return escaped("\033[1m", text, t); }
std::string dimmed(std::string_view text, const terminal& t) { return escaped("\033[2m", text, t); }

int margin_of(const tick_marks& y_ticks) {
  std::size_t widest = 0;
  for (const tick& mark : y_ticks.ticks) widest = std::max(widest, display_width(mark.label));
  return static_cast<int>(widest) + 2;
}

int columns_beside(int margin, const terminal& t) {
  return std::max(static_cast<int>(std::min(t.width, widest_plot)) - margin, 10);
}

std::string to_text(const text_frame& f, const terminal& t) {
  const int rows = static_cast<int>(f.rows.size());
  const int margin = margin_of(f.y_ticks);
  const auto label_width = static_cast<std::size_t>(margin - 2);
  std::vector<std::string> labels(f.rows.size());
  for (const tick& mark : f.y_ticks.ticks) {
    const double fraction = (*f.y)(mark.at);
    if (mark.label.empty() || !(fraction >= -1e-9 && fraction <= 1 + 1e-9)) continue;
    // A tick's label stands at the row its value falls into, so the topmost and lowest row may both have one.
    labels[static_cast<std::size_t>(rows - 1 - position_in(fraction, rows))] = mark.label;
  }

  const auto indent = static_cast<std::size_t>(margin);
  const std::size_t width = indent + static_cast<std::size_t>(f.columns);
  std::string out;
  if (!f.title.empty()) out += in_bold(cut(f.title, width), t) + "\n";
  out += legend_lines(f.legend, width, indent);
  if (!f.y_title.empty()) out += dimmed(cut(f.y_title, width), t) + "\n";
  for (std::size_t r = 0; r < f.rows.size(); ++r) {
    const std::size_t end = f.rows[r].find_last_not_of(' ') + 1;
    out += pad_left(labels[r], label_width) + (labels[r].empty() ? " │" : " ┤") + f.rows[r].substr(0, end) + "\n";
  }

  std::string rule(indent - 1, ' ');
  std::vector<bool> marked(static_cast<std::size_t>(f.columns));
  std::vector<std::pair<std::size_t, std::string>> placed;
  std::size_t free_from = 0;
  for (const tick& mark : f.x_ticks.ticks) {
    const double fraction = (*f.x)(mark.at);
    if (!(fraction >= -1e-9 && fraction <= 1 + 1e-9)) continue;
    const auto column = static_cast<std::size_t>(position_in(fraction, f.columns));
    if (mark.label.empty()) continue;
    marked[column] = true;
    // Centred under its tick, inside the plot's width, and never touching the label before.
    const std::size_t columns = display_width(mark.label);
    std::size_t start = indent + column >= columns / 2 ? indent + column - columns / 2 : 0;
    if (start + columns > width) start = width - std::min(width, columns);
    if (start < free_from) continue;
    placed.emplace_back(start, mark.label);
    free_from = start + columns + 1;
  }
  rule += "└";
  for (bool m : marked) rule += m ? "┬" : "─";
  out += rule + "\n";
  std::string line;
  for (const auto& [start, label] : placed) line = pad_right(line, start).append(label);
  if (!line.empty()) out += line + "\n";
  if (!f.x_title.empty()) {
    const std::size_t columns = std::min(display_width(f.x_title), static_cast<std::size_t>(f.columns));
    out += std::string(indent + (static_cast<std::size_t>(f.columns) - columns) / 2, ' ') +
           dimmed(cut(f.x_title, static_cast<std::size_t>(f.columns)), t) + "\n";
  }
  return out;
}

}  // namespace workbook
