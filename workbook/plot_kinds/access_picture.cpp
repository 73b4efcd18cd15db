// An access picture as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbook/number_text.h"
#include "workbook/picture/picture_frame.h"
#include "workbook/plot/access_layout.h"

namespace workbook {
namespace {

constexpr double width = 720, pitch = 20;  // of lanes and of banks
constexpr double left = width - border - 32 * pitch;
constexpr double lane_radius = 8.5, fall = 130;  // how far lines run from the lanes to memory
constexpr double sector_height = 28, bank_height = 17, header_height = 16;
constexpr font small{9.5, false}, tiny{8.5, false};
constexpr std::size_t usual = 0, conflicting = 1;  // series colours

double lane_x(unsigned lane) { return left + (lane + 0.5) * pitch; }

// "7", "0–31" or "32×", whichever says most in so little room; nothing where two digits don't fit.
std::string short_list(canvas& d, const touching_lanes& lanes, double room) {
  if (lanes.empty() || d.width_of("30", tiny) > room) return "";
  if (lanes.size() == 1) return fmt::format("{}", lanes.front());
  std::string range = fmt::format("{}–{}", lanes.front(), lanes.back());
  if (lanes.back() - lanes.front() + 1 == lanes.size() && d.width_of(range, tiny) <= room) return range;
  return fmt::format("{}×", lanes.size());
}

// A coloured box of memory.
struct painted_cell {
  box area;
  const touching_lanes& lanes;
  bool conflict;
};

std::vector<painted_cell> cells_of_sectors(const access_layout& layout, double top) {
  const auto count = static_cast<double>(layout.rows.size());
  constexpr double between = 2, at_gap = 6;
  double gaps = 0;
  for (const access_row& sector : layout.rows) gaps += sector.after_gap ? at_gap : between;
  const double sector_width = std::min(8 * pitch, (width - 2 * border - gaps) / count);
  // Centred under the lanes, or over the whole width if that isn't enough.
  const double used = sector_width * count + gaps;
  double x = std::clamp(left + 16 * pitch - used / 2, border, width - border - used);
  std::vector<painted_cell> cells;
  for (const access_row& sector : layout.rows) {
    x += sector.after_gap ? at_gap : between;
    const double cell_width = sector_width / static_cast<double>(sector.cells.size());
    const double rim = cell_width > 6 ? 1 : 0;
    for (const touching_lanes& lanes : sector.cells) {
      cells.push_back({{x, top, cell_width - rim, sector_height}, lanes, false});
      x += cell_width;
    }
  }
  return cells;
}

std::vector<painted_cell> cells_of_banks(const access_layout& layout, double top) {
  std::vector<painted_cell> cells;
  for (const access_row& wavefront : layout.rows) {
    for (unsigned bank = 0; bank < gs::shared_banks; ++bank)
      cells.push_back(
          {{left + bank * pitch + 1, top, pitch - 2, bank_height - 2}, wavefront.cells[bank], wavefront.conflict});
    top += bank_height;
  }
  return cells;
}

void paint_lanes(const sheet& s, const access_layout& layout, double y) {
  s.d.text({left - 8, y + 3.5}, "lane", small, s.look.faint_ink, aligned::right);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool active = std::ranges::binary_search(layout.lanes, lane);
    s.d.dot({lane_x(lane), y}, lane_radius, active ? s.look.ink : s.look.unused);
    s.d.text({lane_x(lane), y + 3}, fmt::format("{}", lane), tiny, s.look.paper, aligned::centre);
  }
}

// Lines from the lanes to what they touch. They end at `bottom`: above the banks' numbers, where the row is no matter.
void paint_lines(const sheet& s, const std::vector<painted_cell>& cells, double top, double bottom) {
  for (const bool conflict : {false, true})  // conflicts on top
    for (const painted_cell& cell : cells)
      if (cell.conflict == conflict)
        for (const unsigned lane : cell.lanes)
          s.d.stroke({{lane_x(lane), top}, {cell.area.left + cell.area.width / 2, bottom}},
                     conflict ? series_colour(conflicting) : s.look.thread, 1);
}

void paint_cells(const sheet& s, const std::vector<painted_cell>& cells) {
  for (const painted_cell& cell : cells) {
    s.d.fill(cell.area, cell.lanes.empty() ? s.look.unused : series_colour(cell.conflict ? conflicting : usual));
    s.d.text({cell.area.left + cell.area.width / 2, cell.area.top + cell.area.height / 2 + 3},
             short_list(s.d, cell.lanes, cell.area.width), tiny, white, aligned::centre);
  }
}

// The banks' numbers above the wavefronts, and theirs beside them.
void paint_numbers(const sheet& s, const access_layout& layout, double top) {
  s.d.text({left - 8, top - 5}, "bank", small, s.look.faint_ink, aligned::right);
  for (unsigned bank = 0; bank < gs::shared_banks; ++bank)
    s.d.text({lane_x(bank), top - 5}, fmt::format("{}", bank), tiny, s.look.faint_ink, aligned::centre);
  for (std::size_t r = 0; r < layout.rows.size(); ++r)
    s.d.text({left - 8, top + bank_height * (static_cast<double>(r) + 0.65)},
             fmt::format("{}{}", r == 0 ? "wavefront " : "", r + 1), tiny,
             layout.rows[r].conflict ? series_colour(conflicting) : s.look.faint_ink, aligned::right);
}

// The address under each sector that has room for it.
void paint_addresses(const sheet& s, const access_layout& layout, const std::vector<painted_cell>& cells) {
  double free_from = 0;
  const std::size_t in_sector = layout.rows.front().cells.size();
  for (std::size_t k = 0; k < layout.rows.size(); ++k) {
    const box& first = cells[k * in_sector].area;
    const std::string address = fmt::format("byte {}", grouped(static_cast<long long>(layout.rows[k].address)));
    const double right = first.left + s.d.width_of(address, small);
    if (first.left < free_from || right > width) continue;
    s.d.text({first.left, first.bottom() + 13}, address, small, s.look.faint_ink);
    free_from = right + 8;
  }
}

}  // namespace

// The height grows with the wavefronts.
picture_size access_picture::size() const {
  const access_layout layout = layout_of(*this);
  const auto wavefronts = static_cast<double>(layout.rows.size());
  const double memory = layout.space == gs::memory_space::shared ? header_height + bank_height * wavefronts
                                                                 : sector_height + header_height;
  return {width, std::ceil(152 + fall + memory), true};
}

picture_geometry access_picture::paint(const sheet& s) const {
  canvas& d = s.d;
  const access_layout layout = layout_of(*this);
  const bool shared = layout.space == gs::memory_space::shared;
  std::vector<legend_entry> legend{{.name = "asked for", .ink = series_colour(usual), .line = false, .patch = true}};
  if (shared)
    legend.push_back(
        {.name = "bank conflict: one more wavefront", .ink = series_colour(conflicting), .line = false, .patch = true});
  else
    legend.push_back({.name = "moved, not asked for", .ink = s.look.unused, .line = false, .patch = true});
  double y = paint_head(s, {}, title, legend) + 14;
  d.text({border, y}, d.fitted(subject_of(*this), tick_font, width - 2 * border), tick_font, s.look.faint_ink);
  y += 26;
  const double lines_end = y + lane_radius + fall;
  if (!layout.rows.empty()) {
    const double top = shared ? lines_end + header_height : lines_end;
    const auto cells = shared ? cells_of_banks(layout, top) : cells_of_sectors(layout, top);
    paint_lines(s, cells, y, lines_end);
    paint_cells(s, cells);
    shared ? paint_numbers(s, layout, top) : paint_addresses(s, layout, cells);
  }
  paint_lanes(s, layout, y);
  d.text({width / 2, s.size.height - border}, caption_of(layout), label_font, s.look.ink, aligned::centre);
  return {};
}

}  // namespace workbook
