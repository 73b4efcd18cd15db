// What exercise 25 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <string>
#include <vector>

namespace {

bool right_at(std::size_t n, workbook::report& report) {
  const auto m = gs::uniform<float>({n, n}, n);
  const std::vector<float> before = m.copy_to_host();
  if (!is_clean(gs::inspect([&] { transpose_in_place(m); }), report)) return false;
  const std::vector<float> after = m.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) wrong += after[j * n + i] != before[i * n + j];
  return report.check_equal("numbers in the wrong place, " + std::to_string(n) + " x " + std::to_string(n), wrong, 0);
}

// Where every row begins at a sector, no request has to move more than it asks for.
void traffic(std::size_t n, workbook::report& report) {
  const auto m = gs::uniform<float>({n, n}, 5);
  const gs::ledger_scope scope;
  const gs::inspection seen = gs::inspect([&] { transpose_in_place(m); });
  std::size_t stored = 0, moved = 0;
  for (const gs::line_counters& line : seen.lines) {
    if (line.space == gs::memory_space::shared && line.kind == gs::access_kind::write) stored += line.accesses;
    if (line.space == gs::memory_space::global) moved += line.accesses;
  }
  report.check_equal("memory taken for a second matrix", scope.account().allocated_bytes, 0);
  check_at_most(report, "sectors that are moved and not asked for", workbook::wasted_sectors(seen), 0);
  report.check("the numbers go through shared memory", stored >= n * n);
  check_at_most(report, "bank conflicts", workbook::bank_conflicts(seen), 0);
  // Both tiles on the diagonal are the same one: to fetch or to write it twice does no harm.
  report.check_at_most("numbers read and written, of 128 x 128", static_cast<double>(moved),
                       static_cast<double>(2 * n * (n + side)));
  report.check("threads of a warp work together", workbook::lanes_together(seen) >= 16);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 25,
          .name = "transpose",
          .task = "a square matrix transposed in place, by pairs of tiles",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {32, 64, 1, 2, 31, 33, 63, 65, 0, 97, 160})
              if (!right_at(n, report)) return;
            if (gs::can_inspect()) traffic(128, report);
          }};
}
