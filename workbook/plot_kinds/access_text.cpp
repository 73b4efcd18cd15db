// An access picture in characters.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "workbook/number_text.h"
#include "workbook/plot/access_layout.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

constexpr std::size_t cell_width = 3;  // two digits and a space
constexpr std::size_t most_lines = 32, most_wavefronts = 16, most_notes = 4;

class access_writer {
 public:
  access_writer(const access_layout& layout, const terminal& t)
      : layout_(layout), terminal_(t), width_(std::min(t.width, widest_plot)) {}

  // Sectors side by side, "│" between neighbours and "│…│" where sectors between them are left out.
  void sectors() {
    const std::size_t in_sector = layout_.rows.front().cells.size();
    const std::size_t in_part = std::min(in_sector, cells_that_fit(label_of(layout_.rows.back().address).size() + 2));
    const std::size_t room = width_ - std::min(width_, label_of(layout_.rows.back().address).size());
    std::vector<std::pair<std::string, std::string>> lines;  // label and cells
    for (const access_row& sector : layout_.rows)
      for (std::size_t first = 0; first < in_sector; first += in_part) {
        const std::uint64_t address = sector.address + first * layout_.cell_bytes;
        const bool gap = first == 0 && sector.after_gap;
        const std::size_t needed = cell_width * in_part + (gap ? 2 : 0);
        if (lines.empty() || display_width(lines.back().second) + needed > room)
          lines.emplace_back(label_of(address), "│");
        else if (gap)
          lines.back().second += "…│";
        std::string& cells = lines.back().second;
        for (std::size_t k = 0; k < in_part; ++k)
          cells += (k > 0 ? " " : "") + cell(sector.cells[first + k], false, [&] {
                     return "byte " +
                            grouped(static_cast<long long>(address) + static_cast<long long>(k * layout_.cell_bytes));
                   });
        cells += "│";
      }
    const std::size_t shown = std::min(lines.size(), most_lines);
    std::size_t margin = 0;
    for (std::size_t k = 0; k < shown; ++k) margin = std::max(margin, lines[k].first.size());
    for (std::size_t k = 0; k < shown; ++k)
      out_ += dimmed(pad_left(lines[k].first, margin), terminal_) + lines[k].second + "\n";
    if (shown < lines.size()) out_ += fmt::format("… {} more lines\n", lines.size() - shown);
  }

  // A column per bank and a line per wavefront, as many banks side by side as fit, without those that no lane touches.
  void wavefronts() {
    const std::string label = "wavefront ";
    const std::size_t margin = label.size() + 4;
    const std::size_t together = std::min<std::size_t>(16, cells_that_fit(margin));
    for (std::size_t first = 0; first < gs::shared_banks; first += together) {
      const auto touched = [&](const access_row& row) {
        return std::any_of(row.cells.begin() + static_cast<std::ptrdiff_t>(first),
                           row.cells.begin() + static_cast<std::ptrdiff_t>(first + together),
                           [](const auto& lanes) { return !lanes.empty(); });
      };
      if (std::ranges::none_of(layout_.rows, touched)) continue;
      std::string banks = pad_left("bank", label.size() + 2) + " ";
      for (std::size_t k = 0; k < together; ++k) banks += fmt::format(" {:2}", first + k);
      out_ += dimmed(banks, terminal_) + "\n";
      std::size_t shown = 0;
      for (std::size_t r = 0; r < layout_.rows.size(); ++r) {
        const access_row& row = layout_.rows[r];
        if (!touched(row)) continue;
        if (++shown > most_wavefronts) continue;
        conflict_ = conflict_ || row.conflict;
        const std::string name = fmt::format("{}{:2}", label, r + 1);
        std::string line =
            row.conflict ? in_colour(name + "!", series_colour(1), terminal_) : dimmed(name, terminal_) + " ";
        for (std::size_t k = 0; k < together; ++k)
          line.append(" ").append(cell(row.cells[first + k], row.conflict,
                                       [&] { return fmt::format("wavefront {}, bank {}", r + 1, first + k); }));
        out_ += line + "\n";
      }
      if (shown > most_wavefronts)
        out_ += fmt::format("{}… {} more\n", std::string(label.size(), ' '), shown - most_wavefronts);
    }
  }

  void legend() {
    std::string marks = "Numbers are lanes";
    if (unused_) marks += layout_.space == gs::memory_space::shared ? "; · an idle bank" : "; · moved, not asked for";
    if (conflict_) marks += "; ! a bank conflict";
    if (!notes_.empty()) marks += "; * several lanes";
    out_ += wrap(caption_of(layout_), width_);
    if (layout_.rows.empty()) return;
    dim_lines(marks + ".");
    for (const std::string& note : notes_) dim_lines("* " + note);
    if (more_notes_ > 0) dim_lines(fmt::format("* and {} more", more_notes_));
  }

  std::string out_;

 private:
  static std::string label_of(std::uint64_t address) {
    return fmt::format("byte {} ", grouped(static_cast<long long>(address)));
  }

  std::size_t cells_that_fit(std::size_t margin) const {
    return std::bit_floor(std::max<std::size_t>(1, width_ > margin ? (width_ - margin) / cell_width : 1));
  }

  template <class Place>
  std::string cell(const touching_lanes& lanes, bool conflict, Place place) {
    if (lanes.empty()) {
      unused_ = true;
      return dimmed(" ·", terminal_);
    }
    const colour ink = series_colour(conflict ? 1 : 0);
    if (lanes.size() == 1) return in_colour(fmt::format("{:2}", lanes.front()), ink, terminal_);
    if (notes_.size() < most_notes)
      notes_.push_back(place() + ": lanes " + list_of(lanes));
    else
      ++more_notes_;
    return in_colour(" *", ink, terminal_);
  }

  void dim_lines(const std::string& text) {
    std::string lines = wrap(text, width_);
    lines.pop_back();
    out_ += dimmed(lines, terminal_) + "\n";
  }

  const access_layout& layout_;
  const terminal& terminal_;
  std::size_t width_;
  bool unused_ = false, conflict_ = false;
  std::vector<std::string> notes_;
  std::size_t more_notes_ = 0;
};

}  // namespace

std::string access_picture::to_text(const terminal& t) const {
  const access_layout layout = layout_of(*this);
  const std::size_t width = std::min(t.width, widest_plot);
  access_writer writer(layout, t);
  if (!title.empty()) writer.out_ += in_bold(cut(title, width), t) + "\n";
  writer.out_ += wrap(subject_of(*this), width);
  if (!layout.rows.empty()) layout.space == gs::memory_space::global ? writer.sectors() : writer.wavefronts();
  writer.legend();
  return writer.out_;
}

}  // namespace workbook
