// What exercise 09 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <exception>
#include <string>
#include <vector>

namespace {

struct outcome {
  std::vector<float> result;
  gs::ledger account;
  gs::inspection seen;
};

outcome observed(int years, const std::vector<float>& accounts, const std::vector<float>& factor) {
  outcome o;
  const gs::ledger_scope scope;
  o.seen = gs::inspect([&] { o.result = accounts_after(years, accounts, factor); });
  o.account = scope.account();
  if (o.seen.failure) std::rethrow_exception(o.seen.failure);
  return o;
}

// Returns how many arrays the device has made.
std::size_t grown(int years, std::size_t n, workbook::report& report) {
  const std::string name = std::to_string(n) + " accounts after " + std::to_string(years) + " years";
  std::vector<float> accounts(n), factor(n);
  gs::fill_normal(accounts, n + 1);
  gs::fill_uniform(factor, n + 2);
  for (float& f : factor) f += 0.5f;
  const outcome o = observed(years, accounts, factor);
  report.inspection(o.seen);  // it explains an array without values better
  if (!report.check_equal(name + ", size of the result", o.result.size(), n)) return 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    float expected = accounts[i];
    for (int year = 0; year < years; ++year) expected *= factor[i];  // rounded each year, as on the device
    wrong += o.result[i] != expected;
  }
  report.check_equal(name + ", wrong accounts", wrong, 0);
  if (n == 0 || years == 0) return o.account.allocations;
  report.check(name + ", computed on the device",
               o.account.launches > 0 && o.account.bytes_to_device >= 2 * n * sizeof(float));
  if (!gs::can_inspect()) return o.account.allocations;
  check_at_most(report, name + ", copies to the device", workbook::copies_to_device(o.seen), 2);
  check_at_most(report, name + ", copies to the host", workbook::copies_to_host(o.seen), 1);
  return o.account.allocations;
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 9,
          .name = "device_arrays",
          .task = "a loop over arrays that stay on the device",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0}) grown(3, n, report);
            grown(0, 33, report);
            grown(1, 33, report);
            const std::size_t few = grown(2, 1009, report), many = grown(12, 1009, report);
            report.check_equal("arrays made on the device in 12 years as in 2", many, few);
          }};
}
