// What the warm-up for 10 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <string>

namespace {

bool at(std::size_t n, workbook::report& report) {
  const std::string name = std::to_string(n) + " numbers";
  std::vector<float> x(n), got;
  gs::fill_normal(x, n + 1);
  const gs::ledger_scope scope;
  const gs::inspection seen = gs::inspect([&] { got = square_and_itself(x); });
  const gs::ledger account = scope.account();
  if (!is_clean(seen, report)) return false;
  if (!report.check_equal(name + ", size of the result", got.size(), n)) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = static_cast<double>(x[i]), error = static_cast<double>(got[i]) - (value * value + value);
    wrong += !(std::abs(error) <= 0x1p-23 * (value * value + std::abs(value)));  // three roundings at most
  }
  if (!report.check_equal(name + ", wrong ones", wrong, 0)) return false;
  if (n == 0) return true;
  if (!report.check(name + ", computed on the device",
                    account.launches > 0 && account.bytes_to_device >= n * sizeof(float)))
    return false;
  return !gs::can_inspect() ||
         (check_at_most(report, name + ", copies to the device", workbook::copies_to_device(seen), 1) &&
          check_at_most(report, name + ", copies to the host", workbook::copies_to_host(seen), 1));
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 10,
          .name = "make_pulses",
          .task = "an input that is copied once and used twice",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0})
              if (!at(n, report)) return;
          }};
}
