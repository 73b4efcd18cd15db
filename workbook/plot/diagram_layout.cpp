#include "workbook/plot/diagram_layout.h"

#include <algorithm>

namespace workbook {
namespace {

// Where an arrow between two intervals runs: in the middle of their overlap, if there is one.
struct shared_middle {
  bool shared;
  double from, to;
};
shared_middle middle_of(double from, double from_length, double to, double to_length) {
  const double low = std::max(from, to), high = std::min(from + from_length, to + to_length);
  if (low < high) return {true, (low + high) / 2, (low + high) / 2};
  return {false, from + from_length / 2, to + to_length / 2};
}

}  // namespace

diagram_extent extent_of(const diagram& d) {
  if (d.cells.empty()) return {};
  const diagram_cell& first = d.cells.front();
  double left = first.x, top = first.y, right = left, bottom = top;
  for (const diagram_cell& c : d.cells) {
    left = std::min(left, c.x), right = std::max(right, c.x + c.width);
    top = std::min(top, c.y), bottom = std::max(bottom, c.y + c.height);
  }
  return {left, top, right - left, bottom - top};
}

std::optional<diagram_line> line_of(const diagram& d, const diagram_arrow& arrow) {
  const diagram_cell &from = d.cells[arrow.from], &to = d.cells[arrow.to];
  const shared_middle x = middle_of(from.x, from.width, to.x, to.width),
                      y = middle_of(from.y, from.height, to.y, to.height);
  if (x.shared && y.shared) return {};
  if (y.shared) {
    const bool right = from.x < to.x;
    return diagram_line{right ? from.x + from.width : from.x, y.from, right ? to.x : to.x + to.width, y.to};
  }
  const bool down = from.y < to.y;
  return diagram_line{x.from, down ? from.y + from.height : from.y, x.to, down ? to.y : to.y + to.height};
}

std::vector<diagram_key> keys_of(const diagram& d) {
  std::vector<diagram_key> keys;
  for (std::size_t k = 0; k < d.groups.size(); ++k) {
    const auto is_of_group = [&](const auto& part) { return part.group == k; };
    const diagram_key key{k, std::ranges::any_of(d.cells, is_of_group), std::ranges::any_of(d.arrows, is_of_group)};
    if (!d.groups[k].empty() && (key.of_cells || key.of_arrows)) keys.push_back(key);
  }
  return keys;
}

}  // namespace workbook
