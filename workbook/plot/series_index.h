#pragma once
// A series ready to be drawn at once, any part of it, however many points it has: a pyramid of least and greatest
// values.

#include <stop_token>
#include <vector>

#include "workbook/plot/reduce.h"

namespace workbook {

/// The least and greatest y of blocks of 64 points, of 16 such blocks, and so on: a quarter of a byte per point. What
/// is drawn between two pixel columns is then found in a few steps instead of by reading every point there.
class series_index {
 public:
  /// Reads every point once. Values without a place on a logarithmic axis are left out. If `stop` asks for
  /// it, it ends early, and the index is of no use.
  series_index(const series& s, bool log_x, bool log_y, const std::stop_token& stop = {});

  /// Whether x never falls and has no gaps. If it isn't sorted, the functions below don't work: points must be read
  /// one by one.
  bool sorted() const { return sorted_; }
  const series_extent& extent() const { return extent_; }

  /// The points from left to right edge of the scale, and one more at each side, which lines lead to.
  point_range within(const series& s, const scale& x) const;

  /// What reduced_line makes of the points within the scale. Takes as long as columns * log(points).
  line_pieces line(const series& s, const scale& x, const scale& y, int columns) const;

 private:
  struct block {
    double low, high;
    bool empty() const { return low > high; }
  };
  // Of a range of points: where its first, lowest, highest and last point with a place are.
  struct extremes {
    std::size_t first, low, high, last;
    bool empty = true;
  };
  static constexpr std::size_t block_points = 64, fan_out = 16;

  bool has_place(double v) const;
  extremes extremes_of(const samples& y, std::size_t begin, std::size_t end) const;
  template <class F>
  std::size_t descend(const samples& y, std::size_t level, std::size_t at, bool from_end, const F& is_sought) const;

  bool log_y_;
  bool sorted_ = true;
  series_extent extent_;
  std::vector<std::vector<block>> levels_;
};

}  // namespace workbook
