#include "viewer/plot/view_change.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

using range = workbook::plot_view::range;

// Whether an axis can be drawn from low to high.
bool can_be_shown(const range& r, bool log) {
  if (!std::isfinite(r.high - r.low) || !(r.low < r.high)) return false;
  const double magnitude = std::max(std::abs(r.low), std::abs(r.high));
  if (!(magnitude < 1e300)) return false;
  if (log) return r.low > 1e-300 && r.high / r.low > 1 + 1e-9;
  return r.high - r.low > 1e-12 * magnitude && r.high - r.low > 1e-300;
}

}  // namespace

range range_of(const workbook::scale& shown) {
  return {std::min(shown.low(), shown.high()), std::max(shown.low(), shown.high())};
}

range between(const workbook::scale& shown, double from, double to) {
  const double a = shown.at(from), b = shown.at(to);
  const range selected{std::min(a, b), std::max(a, b)};
  return can_be_shown(selected, shown.log()) ? selected : range_of(shown);
}

range zoomed(const workbook::scale& shown, double place, double factor) {
  return between(shown, place - place * factor, place + (1 - place) * factor);
}

range moved(const workbook::scale& shown, double fraction) { return between(shown, fraction, 1 + fraction); }

}  // namespace viewer
