// What exercise 22 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <string>
#include <vector>

namespace {

constexpr std::size_t threads = 64;

struct outcome {
  std::vector<float> roots;
  gs::inspection seen;
};
outcome roots_of(const std::vector<float>& x) {
  const auto numbers = gs::to_device(x), out = gs::to_device(std::vector<float>(x.size(), -1));
  const std::size_t blocks = std::max<std::size_t>(1, (x.size() + each * threads - 1) / (each * threads));
  gs::inspection seen = gs::inspect([&] { gs::launch<roots>({.grid = blocks, .block = threads}, numbers, out); });
  return {out.copy_to_host(), std::move(seen)};
}

bool roots_at(std::size_t n, workbook::report& report) {
  std::vector<float> x(n);
  gs::fill_uniform(x, n + 1);
  const outcome o = roots_of(x);
  if (!is_clean(o.seen, report)) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += o.roots[i] != std::sqrt(x[i]);
  return report.check_equal("wrong roots of " + std::to_string(n), wrong, 0);
}

void traffic(workbook::report& report) {
  std::vector<float> x(8192);
  gs::fill_uniform(x, 3);
  const gs::inspection seen = roots_of(x).seen;
  if (!report.check("lanes of a warp work together", workbook::lanes_together(seen) >= 16)) return;
  std::uint64_t accesses = 0;
  for (const gs::line_counters& line : seen.lines) accesses += line.accesses;
  report.check_equal("reads and writes for 8192 numbers", accesses, 2 * x.size());
  check_at_most(report, "sectors moved and not asked for", workbook::wasted_sectors(seen), 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 22,
          .name = "coalescing",
          .task = "numbers that are shared out so that a warp's lanes read neighbours",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {8192, 512, 0, 1, 31, 32, 33, 511, 513, 10'007})
              if (!roots_at(n, report)) return;
            if (gs::can_inspect()) traffic(report);
          }};
}
