#include "workbook/plot/plot_view.h"

#include <algorithm>
#include <cmath>

namespace workbook {

scale part_of(const scale& all, const std::optional<plot_view::range>& range) {
  if (!range) return all;
  const auto [low, high] = *range;
  if (!(low < high) || !std::isfinite(high - low) || (all.log() && low <= 0)) return all;
  return all.low() <= all.high() ? scale(low, high, all.log(), all.whole()) : scale(high, low, all.log(), all.whole());
}

}  // namespace workbook
