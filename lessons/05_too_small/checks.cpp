// What exercise 05 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <string>
#include <vector>

namespace {

std::string name_of(gs::target target) { return std::string(gs::to_string(target)); }

bool targets(workbook::report& report) {
  constexpr gs::target core = gs::target::cpu, device = gs::target::device;
  struct example {
    std::size_t n;
    costs c;
    gs::target expected;
  };
  // Whole numbers of ns, so that both times are exact. The last two have more elements than a float can count.
  const example examples[] = {{1, {4, 2000, 2}, core},
                              {100'000, {4, 2000, 2}, device},
                              {999, {4, 2000, 2}, core},
                              {1000, {4, 2000, 2}, core},
                              {1001, {4, 2000, 2}, device},
                              {0, {4, 2000, 2}, core},
                              {1'000'000, {2, 100, 4}, core},
                              {1'000'000, {3, 100, 3}, core},
                              {31, {64, 1024, 32}, core},
                              {32, {64, 1024, 32}, core},
                              {33, {64, 1024, 32}, device},
                              {4'294'967'296, {1, 4'294'967'296, 0}, core},
                              {4'294'967'297, {1, 4'294'967'296, 0}, device}};
  for (const auto& [n, c, expected] : examples) {
    const auto ns = [](double value) { return std::to_string(std::llround(value)); };
    if (!report.check_equal("who is faster with " + std::to_string(n) + " elements: core " + ns(c.core_element) +
                                " ns each, device " + ns(c.device_call) + " ns and " + ns(c.device_element) +
                                " ns each",
                            name_of(faster(n, c)), name_of(expected)))
      return false;
  }
  return true;
}

// Each step takes x three quarters of its way to 2.
double expected_of(float x) { return 2 + (static_cast<double>(x) - 2) * std::pow(0.75, 64); }

// With a call that costs as much as 50 elements gain.
bool calls(std::size_t n, workbook::report& report) {
  const std::string name = "worked of " + std::to_string(n) + " elements";
  std::vector<float> x(n);
  gs::fill_uniform(x, n + 1);
  for (float& value : x) value *= 4;
  const gs::ledger_scope scope;
  const std::vector<float> got = worked(x, {4, 100, 2});
  const gs::ledger account = scope.account();
  if (!report.check_equal(name + ", size of the result", got.size(), n)) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += !(std::abs(static_cast<double>(got[i]) / expected_of(x[i]) - 1) <= 1e-6);
  if (!report.check_equal(name + ", wrong elements", wrong, 0)) return false;
  const bool by_the_device = account.launches > 0 && account.bytes_to_device >= n * sizeof(float);
  if (n > 50) return report.check(name + ", computed on the device", by_the_device);
  return report.check(name + ", computed on the core",
                      account.launches == 0 && account.copies_to_device + account.copies_to_host == 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 5,
          .name = "too_small",
          .task = "a call that goes to the device only where that is faster",
          .check = [](workbook::report& report) {
            if (!targets(report)) return;
            for (const std::size_t n : {10, 1000, 0, 1, 31, 32, 33, 49, 50, 51, 1009})
              if (!calls(n, report)) return;
          }};
}
