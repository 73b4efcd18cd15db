#include "workbook/time_bound_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/instruments/device_model/time_bound.h"
#include "workbook/inspected_model.h"
#include "workbook/number_text.h"

namespace workbook {
namespace {

// "1.2 µs", "1.2 µs to 3.4 ms"
std::string range_text(double least, double most) {
  const std::string low = to_text(seconds(least)), high = to_text(seconds(most));
  return low == high ? high : low + " to " + high;
}

}  // namespace

std::string time_bound_text(const gs::inspection& result, std::string_view kernel) {
  const gs::device_model* const model = inspected_model(result);
  if (model == nullptr) return "";
  std::vector<gs::time_bound> bounds;
  for (const gs::kernel_counters& k : result.kernels)
    if (k.kernel == kernel) bounds.push_back(gs::time_bound_of(*model, gs::work_of(k)));
  if (bounds.empty()) return "";
  const auto [least, most] = std::ranges::minmax(bounds, {}, &gs::time_bound::seconds);
  if (most.seconds() <= 0) return "";
  std::string text = fmt::format("Bound on {}: a launch takes at least {}, by {}", model->card,
                                 range_text(least.seconds(), most.seconds()), to_string(most.limited_by()));
  const auto [least_from_l2, most_from_l2] = std::ranges::minmax(bounds, {}, &gs::time_bound::seconds_from_l2);
  if (most.limited_by() == gs::time_limit::memory && most_from_l2.seconds_from_l2() > 0)
    text += fmt::format("; {}, by {}, if L2 holds its arrays",
                        range_text(least_from_l2.seconds_from_l2(), most_from_l2.seconds_from_l2()),
                        to_string(most_from_l2.limited_from_l2_by()));
  return text + ".";
}

}  // namespace workbook
