#include "workbook/plot/reduce.h"

#include <algorithm>
#include <cmath>

namespace workbook {
namespace {

constexpr std::size_t look_up = 65536;  // how often a loop over points asks whether it should stop

// Keeps first, lowest, highest and last of the points that fall into one pixel column.
class column_of_points {
 public:
  void add(place p) {
    if (count_ == 0) first_ = low_ = high_ = p;
    if (p.y < low_.y) {
      low_ = p;
      low_at_ = count_;
    }
    if (p.y > high_.y) {
      high_ = p;
      high_at_ = count_;
    }
    last_ = p;
    ++count_;
  }

  void move_to(std::vector<place>& piece) {
    const auto put = [&piece](place p) {
      if (piece.empty() || piece.back().x != p.x || piece.back().y != p.y) piece.push_back(p);
    };
    if (count_ > 0) put(first_);
    if (count_ > 2) {
      put(low_at_ < high_at_ ? low_ : high_);
      put(low_at_ < high_at_ ? high_ : low_);
    }
    if (count_ > 1) put(last_);
    count_ = low_at_ = high_at_ = 0;
  }

 private:
  place first_{}, low_{}, high_{}, last_{};
  std::size_t count_ = 0, low_at_ = 0, high_at_ = 0;
};

// Each element of m becomes the mean of its rectangle of the part. Columns are summed up side by side, which makes
// vectors of them; only where that finds NaN is every element looked at.
template <class F>
void average(const F& value, std::size_t stride, const matrix_part& part, reduced_matrix& m) {
  const auto rows = static_cast<std::size_t>(m.rows), columns = static_cast<std::size_t>(m.columns);
  std::vector<double> sum(part.columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t top = r * part.rows / rows, bottom = (r + 1) * part.rows / rows;
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t i = top; i < bottom; ++i) {
      const std::size_t first = (part.row + i) * stride + part.column;
      for (std::size_t j = 0; j < part.columns; ++j) sum[j] += value(first + j);
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t left = c * part.columns / columns, right = (c + 1) * part.columns / columns;
      double total = 0, count = static_cast<double>((bottom - top) * (right - left));
      for (std::size_t j = left; j < right; ++j) total += sum[j];
      if (std::isnan(total)) {
        total = count = 0;
        for (std::size_t i = top; i < bottom; ++i)
          for (std::size_t j = left; j < right; ++j)
            if (const double v = value((part.row + i) * stride + part.column + j); !std::isnan(v)) {
              total += v;
              ++count;
            }
      }
      m.values[r * columns + c] = total / count;
    }
  }
}

}  // namespace

line_pieces reduced_line(const series& s, const scale& x, const scale& y, int columns, const std::stop_token& stop) {
  line_pieces pieces(1);
  column_of_points column;
  double current = std::numeric_limits<double>::quiet_NaN();
  bool gap = false;
  for (std::size_t i = 0, n = s.y.size(); i < n; ++i) {
    if (i % look_up == 0 && stop.stop_requested()) return pieces;
    const place p{x(x_of(s, i)), y(s.y[i])};
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      gap = true;
      continue;
    }
    const double pixel = std::floor(p.x * columns);
    if (pixel != current) {
      column.move_to(pieces.back());
      // A gap inside one pixel column can't be seen, and millions of them would cost as much as drawing all points.
      if (gap && !pieces.back().empty()) pieces.emplace_back();
    }
    current = pixel;
    gap = false;
    column.add(p);
  }
  column.move_to(pieces.back());
  return pieces;
}

std::vector<place> reduced_points(const series& s, const scale& x, const scale& y, int columns, int rows) {
  return reduced_points(s, {0, s.y.size()}, x, y, columns, rows);
}

std::vector<place> reduced_points(const series& s, point_range part, const scale& x, const scale& y, int columns,
                                  int rows, const std::stop_token& stop) {
  std::vector<bool> is_marked(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  std::vector<place> out;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (i % look_up == 0 && stop.stop_requested()) return out;
    const place p{x(x_of(s, i)), y(s.y[i])};
    if (!(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1)) continue;
    const int c = std::min(static_cast<int>(p.x * columns), columns - 1);
    const int r = std::min(static_cast<int>(p.y * rows), rows - 1);
    const std::size_t at =
        static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c);
    if (is_marked[at]) continue;
    is_marked[at] = true;
    out.push_back(p);
  }
  return out;
}

std::vector<bin> reduced_bins(const series& s, point_range part, const scale& x, const scale& y, int columns) {
  std::vector<bin> out;
  const std::size_t n = s.y.size();
  // Where two neighbours meet; the first and the last are as wide on the other side.
  const auto edge = [&](std::size_t i) {
    if (n == 1) return x_of(s, 0) + (i == 0 ? -0.5 : 0.5);
    if (i == 0) return x_of(s, 0) - (x_of(s, 1) - x_of(s, 0)) / 2;
    if (i == n) return x_of(s, n - 1) + (x_of(s, n - 1) - x_of(s, n - 2)) / 2;
    return (x_of(s, i - 1) + x_of(s, i)) / 2;
  };
  const double zero = y.log() ? 0 : std::clamp(y(0), 0.0, 1.0);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double left = std::clamp(x(edge(i)), 0.0, 1.0), right = std::clamp(x(edge(i + 1)), 0.0, 1.0);
    const double end = y(s.y[i]);
    if (!(left < right) || std::isnan(end)) continue;
    const auto [low, high] = std::minmax({zero, std::clamp(end, 0.0, 1.0)});
    if (!out.empty() && right - out.back().left < 1.0 / columns) {
      bin& last = out.back();
      last = {last.left, right, std::min(last.low, low), std::max(last.high, high)};
    } else {
      out.push_back({left, right, low, high});
    }
  }
  return out;
}

reduced_matrix reduced_heat_map(const heat_map& h, int most_rows, int most_columns) {
  return reduced_heat_map(h, {0, 0, h.rows, h.columns}, most_rows, most_columns);
}

reduced_matrix reduced_heat_map(const heat_map& h, const matrix_part& part, int most_rows, int most_columns) {
  reduced_matrix m;
  m.rows = static_cast<int>(std::min(part.rows, static_cast<std::size_t>(most_rows)));
  m.columns = static_cast<int>(std::min(part.columns, static_cast<std::size_t>(most_columns)));
  m.values.resize(static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns));
  if (h.values.is_regular())
    average([&h](std::size_t i) { return h.values[i]; }, h.columns, part, m);
  else
    h.values.visit([&](const auto values) {
      average([values](std::size_t i) { return static_cast<double>(values[i]); }, h.columns, part, m);
    });
  return m;
}

series_extent extent_of(const series& s, bool log_x, bool log_y) {
  series_extent e;
  if (s.x.empty()) {
    if (!s.y.empty()) {
      e.x.add(log_x ? 1 : 0);
      e.x.add(static_cast<double>(s.y.size() - 1));
    }
  } else {
    add_extent(e.x, s.x, log_x);
  }
  add_extent(e.y, s.y, log_y);
  for (std::size_t i = 0; i < s.spread.size(); ++i)
    for (double end : {s.y[i] - s.spread[i], s.y[i] + s.spread[i]})
      if (std::isfinite(end) && (!log_y || end > 0)) e.y.add(end);
  return e;
}

xy_scales scales_for(const xy_plot& p) {
  std::vector<series_extent> extents;
  for (const series& s : p.series) extents.push_back(extent_of(s, p.x.log, p.y.log));
  return scales_for(p, extents);
}

xy_scales scales_for(const xy_plot& p, std::span<const series_extent> extents) {
  interval x, y;
  const auto add = [](interval& range, const interval& other) {
    if (other.empty()) return;
    range.add(other.low);
    range.add(other.high);
  };
  for (const series_extent& e : extents) {
    add(x, e.x);
    add(y, e.y);
  }
  for (const series& s : p.series) {
    if (s.style != drawn_as::bins || s.y.empty()) continue;
    if (!p.y.log) y.add(0);
    const std::size_t n = s.y.size();
    const double first = n > 1 ? x_of(s, 1) - x_of(s, 0) : 1, last = n > 1 ? x_of(s, n - 1) - x_of(s, n - 2) : 1;
    for (const double end : {x_of(s, 0) - first / 2, x_of(s, n - 1) + last / 2})
      if (std::isfinite(end) && (!p.x.log || end > 0)) x.add(end);
  }
  const bool points = std::ranges::any_of(p.series, [](const series& s) { return has_points(s.style); });
  for (const reference_line& r : p.references)
    if (interval& range = r.vertical ? x : y; std::isfinite(r.at) && (!(r.vertical ? p.x : p.y).log || r.at > 0))
      range.add(r.at);
  return {scale_for(p.x, x, points ? 0.03 : 0), scale_for(p.y, y, 0.06)};
}

xy_scales scales_for(const heat_map& h) {
  const auto counting = [](axis a, std::size_t n) {
    a.whole = a.whole || (!a.min && !a.max);
    const double first = a.log ? 1 : 0;
    interval cells;
    cells.add(first);
    cells.add(first + static_cast<double>(std::max<std::size_t>(n, 1)));
    return scale_for(a, cells, 0);
  };
  const scale x = counting(h.x, h.columns), y = counting(h.y, h.rows);
  if (h.y.min || h.y.max) return {x, y};
  return {x, scale(y.high(), y.low(), y.log(), y.whole())};
}

scale value_scale_for(const heat_map& h) {
  interval range;
  add_extent(range, h.values, h.value.log);
  if (h.colours == colour_map::diverging && !h.value.log && !range.empty()) {  // as far below zero as above
    const double reach = std::max(std::abs(range.low), std::abs(range.high));
    range = {-reach, reach};
  }
  return scale_for(h.value, range, 0);
}

}  // namespace workbook
