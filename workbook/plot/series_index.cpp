#include "workbook/plot/series_index.h"

#include <algorithm>
#include <cmath>

namespace workbook {

bool series_index::has_place(double v) const { return std::isfinite(v) && (!log_y_ || v > 0); }

series_index::series_index(const series& s, bool log_x, bool log_y, const std::stop_token& stop) : log_y_(log_y) {
  const std::size_t n = s.y.size();
  std::vector<block> blocks;
  blocks.reserve(n / block_points + 1);
  if (s.x.is_regular() && !s.x.empty()) sorted_ = s.x[n - 1] >= s.x[0];
  double before = -std::numeric_limits<double>::infinity();
  const auto range_of = [&](const auto& values, std::size_t begin, std::size_t end) {
    interval range;
    for (std::size_t i = begin; i < end; ++i)
      if (const auto v = static_cast<double>(values[i]); has_place(v)) range.add(v);
    return block{range.low, range.high};
  };
  for (std::size_t start = 0; start < n; start += block_points) {
    if (start % 65536 == 0 && stop.stop_requested()) return;
    const std::size_t end = std::min(n, start + block_points);
    blocks.push_back(s.y.is_regular() ? range_of(s.y, start, end)
                                      : s.y.visit([&](const auto values) { return range_of(values, start, end); }));
    if (s.x.empty() || s.x.is_regular() || !sorted_) continue;
    for (std::size_t i = start; i < end; ++i) {
      const double x = s.x[i];
      sorted_ = sorted_ && x >= before;  // NaN isn't
      before = x;
    }
  }
  levels_.push_back(std::move(blocks));
  while (levels_.back().size() > fan_out) {
    const std::vector<block>& below = levels_.back();
    std::vector<block> above;
    for (std::size_t start = 0; start < below.size(); start += fan_out) {
      block merged = below[start];
      for (std::size_t k = start + 1; k < std::min(below.size(), start + fan_out); ++k)
        merged = {std::min(merged.low, below[k].low), std::max(merged.high, below[k].high)};
      above.push_back(merged);
    }
    levels_.push_back(std::move(above));
  }
  if (!s.spread.empty() || log_x || !sorted_) {
    extent_ = extent_of(s, log_x, log_y);
  } else if (n > 0) {
    for (const std::size_t i : {std::size_t{0}, n - 1})
      if (const double x = x_of(s, i); std::isfinite(x)) extent_.x.add(x);
    for (const block& b : levels_.back())
      if (!b.empty()) {
        extent_.y.add(b.low);
        extent_.y.add(b.high);
      }
  }
}

point_range series_index::within(const series& s, const scale& x) const {
  const std::size_t n = s.y.size();
  const auto first_with = [&](const auto& reached) {
    std::size_t low = 0, high = n;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (reached(x(x_of(s, middle))))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  };
  const std::size_t begin = first_with([](double place) { return place >= 0; });
  const std::size_t end = first_with([](double place) { return place > 1; });
  return {begin > 0 ? begin - 1 : 0, std::min(end + 1, n)};
}

// The point below a block that is wanted: the first, or the last if `from_end`.
template <class F>
std::size_t series_index::descend(const samples& y, std::size_t level, std::size_t at, bool from_end,
                                  const F& is_sought) const {
  for (; level > 0; --level) {
    const std::vector<block>& below = levels_[level - 1];
    const std::size_t begin = at * fan_out, end = std::min(below.size(), begin + fan_out);
    at = from_end ? end - 1 : begin;
    while (!is_sought(below[at].low, below[at].high)) from_end ? --at : ++at;
  }
  const std::size_t begin = at * block_points, end = std::min(y.size(), begin + block_points);
  std::size_t i = from_end ? end - 1 : begin;
  while (!has_place(y[i]) || !is_sought(y[i], y[i])) from_end ? --i : ++i;
  return i;
}

series_index::extremes series_index::extremes_of(const samples& y, std::size_t begin, std::size_t end) const {
  // A point, or a block of a level of the pyramid.
  struct found {
    std::size_t at;
    int level;
    double value;
  };
  found first{}, low{}, high{}, last{};
  bool empty = true;
  for (std::size_t i = begin; i < end;) {
    int level = -1;
    std::size_t size = 1;
    for (std::size_t k = 0, points = block_points; k < levels_.size(); ++k, points *= fan_out) {
      if (i % points != 0 || i + points > end) break;
      level = static_cast<int>(k);
      size = points;
    }
    block b{};
    if (level < 0) {
      const double v = y[i];
      b = has_place(v) ? block{v, v} : block{1, 0};
    } else {
      b = levels_[static_cast<std::size_t>(level)][i / size];
    }
    const std::size_t at = i / size;
    i += size;
    if (b.empty()) continue;
    if (empty) {
      first = {at, level, 0};
      low = {at, level, b.low};
      high = {at, level, b.high};
      empty = false;
    }
    if (b.low < low.value) low = {at, level, b.low};
    if (b.high > high.value) high = {at, level, b.high};
    last = {at, level, 0};
  }
  if (empty) return {};
  const auto point_of = [&](const found& f, bool from_end, const auto& is_sought) {
    return f.level < 0 ? f.at : descend(y, static_cast<std::size_t>(f.level), f.at, from_end, is_sought);
  };
  const auto any = [](double least, double greatest) { return least <= greatest; };
  return {point_of(first, false, any), point_of(low, false, [&](double least, double) { return least == low.value; }),
          point_of(high, false, [&](double, double greatest) { return greatest == high.value; }),
          point_of(last, true, any), false};
}

line_pieces series_index::line(const series& s, const scale& x, const scale& y, int columns) const {
  line_pieces pieces(1);
  const auto [begin, end] = within(s, x);
  const auto column_of = [&](std::size_t i) { return std::floor(x(x_of(s, i)) * columns); };
  bool gap = false;
  for (std::size_t i = begin; i < end;) {
    // Columns get wider steps the more points lie in one: the first point beyond is looked for by doubling.
    const double column = column_of(i);
    if (!std::isfinite(column)) {  // before the first or after the last that has a place
      gap = true;
      ++i;
      continue;
    }
    std::size_t inside = i, beyond = i + 1, step = 1;
    while (beyond < end && column_of(beyond) == column) {
      inside = beyond;
      step *= 2;
      beyond = std::min(end, inside + step);
    }
    while (beyond - inside > 1) {
      const std::size_t middle = inside + (beyond - inside) / 2;
      (column_of(middle) == column ? inside : beyond) = middle;
    }
    const extremes e = extremes_of(s.y, i, beyond);
    if (e.empty) {
      gap = true;
    } else {
      if ((gap || e.first > i) && !pieces.back().empty()) pieces.emplace_back();
      auto& piece = pieces.back();
      std::size_t put_last = s.y.size();
      for (const std::size_t at : {e.first, std::min(e.low, e.high), std::max(e.low, e.high), e.last})
        if (at != put_last) {
          const place p{x(x_of(s, at)), y(s.y[at])};
          if (!std::isfinite(p.y)) continue;  // too far away to have a place
          if (piece.empty() || piece.back().x != p.x || piece.back().y != p.y) piece.push_back(p);
          put_last = at;
        }
      gap = e.last + 1 < beyond;
    }
    i = beyond;
  }
  return pieces;
}

}  // namespace workbook
