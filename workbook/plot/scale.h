#pragma once
// From data to positions on an axis: the range shown, where a value lies in it, and ticks at round numbers.

#include <limits>
#include <string>
#include <vector>

#include "workbook/plot.h"

namespace workbook {

/// The least and greatest of the values it was given; empty at first.
struct interval {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double v) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  bool empty() const { return low > high; }
};

/// Adds the values that have a place on an axis: finite ones, on a logarithmic axis positive ones.
void add_extent(interval& range, const samples& values, bool log);

/// Maps low to 0 and high to 1, linearly or logarithmically. With low above high it runs downwards.
class scale {
 public:
  /// `whole`: ticks at whole numbers only.
  scale(double low, double high, bool log, bool whole = false);

  double low() const { return low_; }
  double high() const { return high_; }
  bool log() const { return log_; }
  bool whole() const { return whole_; }
  /// NaN for a value without a place: NaN, or not positive on a logarithmic scale. Beyond 0 to 1 outside the range.
  double operator()(double v) const;
  /// The value at a place of the scale: at(0) is low, at(1) high.
  double at(double fraction) const;

 private:
  double low_, high_;
  bool log_, whole_;
  double from_, per_unit_;
};

/// The range of an axis: what `a` asks for, else that of the data widened by `padding` of itself at each end (not
/// across zero). Data that is empty or a single value gets a range of its own around it. `from_zero` puts 0 into a
/// linear range.
scale scale_for(const axis& a, const interval& data, double padding, bool from_zero = false);

struct tick {
  double at;
  std::string label;  ///< empty: a small tick between the labelled ones
};

/// Ticks at 1, 2 or 5 times a power of ten; on a logarithmic axis at the powers of ten where there are enough.
struct tick_marks {
  std::vector<tick> ticks;
  int exponent = 0;  ///< the labels are to be multiplied by 10 to this power
};
/// About `count` labelled ticks within the scale's range.
tick_marks ticks_for(const scale& s, int count);

/// "time [ms]"; with an exponent "elements [10⁶]".
std::string axis_title(const axis& a, int exponent = 0);

/// 6 -> "⁶", -3 -> "⁻³".
std::string superscript(int n);

}  // namespace workbook
