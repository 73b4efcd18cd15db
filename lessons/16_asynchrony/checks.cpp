// What exercise 16 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <string>
#include <vector>

namespace {

// Streams and arrays are new each time, so that nothing else has put them in order.
bool turned_at(std::size_t n, workbook::report& report) {
  const std::string name = "squares of " + std::to_string(n) + " numbers";
  const std::vector<float> x = gs::normal<float>({n}, n + 1).copy_to_host();
  std::vector<float> got;
  gs::ledger account;
  const gs::inspection seen = gs::inspect([&] {
    const auto numbers = gs::to_device(x), turned = gs::to_device(std::vector(n, std::nanf("")));
    const gs::device_array<float> squares = gs::device_array_like(numbers);
    gs::synchronize();
    gs::stream maker, reader;
    const gs::ledger_scope scope;
    turned_squares(numbers, squares, turned, maker, reader);
    account = scope.account();
    maker.synchronize();
    reader.synchronize();
    got = turned.copy_to_host();
  });
  if (!is_clean(seen, report)) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += got[i] != x[n - 1 - i] * x[n - 1 - i];
  return report.check_equal(name + ", wrong ones", wrong, 0) &&
         report.check_equal(name + ", launches", account.launches, 2) &&
         report.check_equal(name + ", how often the host waits",
                            account.synchronizations + account.copies_to_device + account.copies_to_host, 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 16,
          .name = "asynchrony",
          .task = "a stream that waits for another one, while the host goes on",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0})
              if (!turned_at(n, report)) return;
          }};
}
