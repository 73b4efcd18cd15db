// A diagram in characters.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "workbook/plot/diagram_layout.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

constexpr double widest_unit = 16;

// The brackets around the cells of a group; they tell groups apart without colours, too.
std::pair<std::string, std::string> brackets_of(std::size_t group) {
  static constexpr std::array<std::pair<const char*, const char*>, 7> brackets{
      {{"[", "]"}, {"(", ")"}, {"{", "}"}, {"<", ">"}, {"|", "|"}, {"/", "/"}, {".", "."}}};
  const auto& [open, close] = brackets[group % brackets.size()];
  return {open, close};
}

class diagram_writer {
 public:
  diagram_writer(const diagram& d, const terminal& t) : diagram_(d), terminal_(t), extent_(extent_of(d)) {
    const auto room = static_cast<double>(std::min(t.width, widest_plot));
    double needed = 3;
    for (const diagram_cell& c : d.cells)
      needed = std::max(needed, std::ceil((static_cast<double>(display_width(c.text)) + 2) / c.width));
    unit_ = std::min({needed, widest_unit, room / extent_.width});
    columns_ = static_cast<int>(std::min(std::ceil(extent_.width * unit_), room));
    rows_ = static_cast<int>(std::ceil(extent_.height));
    grid_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  }

  void arrows() {
    for (const diagram_arrow& arrow : diagram_.arrows)
      if (const auto line = line_of(diagram_, arrow)) this->line(*line, arrow.group);
  }

  void cells() {
    for (const diagram_cell& c : diagram_.cells) {
      const int left = column(c.x), width = std::max(column(c.x + c.width) - left, 1);
      const int top = row(c.y), height = std::max(row(c.y + c.height) - top, 1);
      const bool enclosed = c.group && width > 2;
      const auto room = static_cast<std::size_t>(enclosed ? width - 2 : width);
      const std::string text = cut(c.text, room);
      const int begin = left + (width - static_cast<int>(display_width(text))) / 2;
      for (int r = top; enclosed && r < top + height; ++r) {
        for (int k = left + 1; k < left + width - 1; ++k) put(k, r, " ", {});
        put(left, r, brackets_of(*c.group).first, c.group);
        put(left + width - 1, r, brackets_of(*c.group).second, c.group);
      }
      int at = begin;
      for (const std::string_view glyph : characters_of(text)) put(at++, top + (height - 1) / 2, glyph, c.group);
    }
  }

  std::string rows() const {
    std::string out;
    for (int r = 0; r < rows_; ++r) {
      std::string line;
      int blanks = 0;
      for (int c = 0; c < columns_; ++c) {
        const character& here = grid_[index(c, r)];
        if (here.glyph.empty() || here.glyph == " ") {
          ++blanks;
          continue;
        }
        line += std::string(static_cast<std::size_t>(blanks), ' ');
        blanks = 0;
        line += here.group ? in_colour(here.glyph, series_colour(*here.group), terminal_) : here.glyph;
      }
      out += line + "\n";
    }
    return out;
  }

  std::string legend() const {
    const std::size_t width = std::min(terminal_.width, widest_plot);
    std::string out, line;
    for (const diagram_key& key : keys_of(diagram_)) {
      std::string sign;
      if (key.of_cells) sign = brackets_of(key.group).first + " " + brackets_of(key.group).second;
      if (key.of_arrows) sign += (sign.empty() ? "" : " ") + stroke_of(key.group, "─");
      const std::size_t beside = display_width(sign) + 1;
      const std::string name = cut(diagram_.groups[key.group], width > beside ? width - beside : 1);
      const std::size_t needed = beside + display_width(name);
      if (!line.empty() && display_width(line) + 3 + needed > width) out += std::exchange(line, "") + "\n";
      line += (line.empty() ? "" : "   ") + in_colour(sign, series_colour(key.group), terminal_) + " " + name;
    }
    return line.empty() ? out : out + line + "\n";
  }

 private:
  struct character {
    std::string glyph;
    std::optional<std::size_t> group;
    bool of_cell = true;
  };
  std::size_t index(int c, int r) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c);
  }
  int column(double x) const { return static_cast<int>(std::lround((x - extent_.left) * unit_)); }
  int row(double y) const { return static_cast<int>(std::lround(y - extent_.top)); }
  void put(int c, int r, std::string_view glyph, std::optional<std::size_t> group) {
    if (c >= 0 && c < columns_ && r >= 0 && r < rows_) grid_[index(c, r)] = {std::string(glyph), group, true};
  }

  // Arrows run through the blanks of a cell, and leave its text alone.
  void put_arrow(int c, int r, const std::string& glyph, std::optional<std::size_t> group) {
    if (c < 0 || c >= columns_ || r < 0 || r >= rows_) return;
    character& here = grid_[index(c, r)];
    if (here.of_cell && !here.glyph.empty() && here.glyph != " ") return;
    here = {glyph, group, false};
  }

  // Without colours a group's arrows are drawn with a character of their own.
  std::string stroke_of(std::optional<std::size_t> group, const std::string& plain) const {
    static constexpr std::array<const char*, 7> signs{"*", "o", "+", "=", "~", "#", ":"};
    return group && terminal_.colours == colour_depth::none ? signs[*group % signs.size()] : plain;
  }

  // Characters that the line goes through, the last of them a head.
  void line(const diagram_line& l, std::optional<std::size_t> group) {
    // An edge lies where that of the cell is drawn.
    const bool level = l.from_y == l.to_y;
    const double x = level ? column(l.from_x) : (l.from_x - extent_.left) * unit_;
    const double y = level ? l.from_y - extent_.top : row(l.from_y);
    const double dx = level ? column(l.to_x) - x : (l.to_x - l.from_x) * unit_, dy = level ? 0 : row(l.to_y) - y;
    if (dx == 0 && dy == 0) return;
    const bool across = std::abs(dx) > 4 * std::abs(dy), down = std::abs(dx) < std::abs(dy);
    const std::string plain = across ? "─" : down ? "│" : dx * dy > 0 ? "╲" : "╱";
    const std::string head = across ? (dx > 0 ? "▶" : "◀") : dy > 0 ? "▼" : "▲";
    const int steps = std::max(1, static_cast<int>(std::ceil(2 * std::max(std::abs(dx), std::abs(dy)))));
    int head_column = 0, head_row = 0;
    for (int k = 0; k < steps; ++k) {
      const double at = (k + 0.5) / steps;
      head_column = static_cast<int>(std::floor(x + at * dx)), head_row = static_cast<int>(std::floor(y + at * dy));
      put_arrow(head_column, head_row, stroke_of(group, plain), group);
    }
    put_arrow(head_column, head_row, head, group);
  }

  const diagram& diagram_;
  const terminal& terminal_;
  diagram_extent extent_;
  double unit_ = 1;  // columns of a unit; its height is one line
  int columns_ = 0, rows_ = 0;
  std::vector<character> grid_;
};

}  // namespace

std::string diagram::to_text(const terminal& t) const {
  diagram_writer writer(*this, t);
  writer.cells();
  writer.arrows();
  std::string out;
  if (!title.empty()) out += in_bold(cut(title, std::min(t.width, widest_plot)), t) + "\n";
  return out + writer.legend() + writer.rows();
}

}  // namespace workbook
