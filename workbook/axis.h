#pragma once
// An axis of a plot.

#include <optional>
#include <string>

namespace workbook {

/// One axis. Its range is that of the data unless `min` or `max` say otherwise. On a logarithmic axis, values that
/// aren't positive have no place: they are left out as NaN is.
struct axis {
  std::string label = {};
  std::string unit = {};  ///< "ms", "GB/s"; empty for a pure number
  bool log = false;
  std::optional<double> min = {};
  std::optional<double> max = {};
  bool whole = false;  ///< counts: ticks stand at whole numbers only
};

}  // namespace workbook
