#include "workbook/plot/plot_view.h"

#include <algorithm>
#include <cmath>

namespace workbook {

scale part_of(const scale& whole, const std::optional<plot_view::range>& range) {
  if (!range) return whole;
  const auto [low, high] = *range;
  if (!(low < high) || !std::isfinite(high - low) || (whole.log() && low <= 0)) return whole;
  return whole.low() <= whole.high() ? scale(low, high, whole.log(), whole.whole())
                                     : scale(high, low, whole.log(), whole.whole());
}

}  // namespace workbook
