// What exercise 14 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <string>
#include <vector>

namespace {

bool launch_of(std::size_t n, std::size_t multiprocessors, workbook::report& report) {
  const std::string name =
      "for " + std::to_string(n) + " elements on " + std::to_string(multiprocessors) + " multiprocessors";
  const gs::launch_options o = launch_for(n, multiprocessors);
  const std::int64_t threads = o.block.x;
  if (!report.check_equal("lanes without a thread, " + name, (32 - threads % 32) % 32, 0)) return false;
  if (!report.check("a block has 128 to 512 threads, " + name, threads >= 128 && threads <= 512)) return false;
  if (!report.check_equal("threads and blocks along y and z, " + name, o.block.y * o.block.z * o.grid.y * o.grid.z, 1))
    return false;
  const auto block = static_cast<std::size_t>(threads);
  const std::size_t whole = n / block + (n % block > 0), most = 4 * multiprocessors;
  const std::size_t expected = whole == 0 ? 1 : std::min(whole, most);
  return report.check_equal("blocks of " + std::to_string(block) + ", " + name, o.grid.x, expected);
}

// It is launched, too.
bool halved(std::size_t n, workbook::report& report) {
  const std::vector<float> before = gs::uniform<float>({n}, n + 1).copy_to_host();
  const auto x = gs::to_device(before);
  const auto call = [&] { gs::launch<halve>(launch_for(n, gs::device().multiprocessors), x); };
  if (!is_clean(gs::inspect(call), report)) return false;
  const std::vector<float> got = x.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += got[i] != before[i] / 2;
  return report.check_equal("elements not halved, of " + std::to_string(n), wrong, 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 14,
          .name = "launch_configuration",
          .task = "blocks of whole warps, and as many of them as are worth it",
          .check = [](workbook::report& report) {
            struct example {
              std::size_t n, multiprocessors;
            };
            for (const auto& [n, multiprocessors] : std::vector<example>{{12'800, 80},
                                                                         {12'801, 80},
                                                                         {1'000'000, 4},
                                                                         {1'000'000, 132},
                                                                         {1, 80},
                                                                         {31, 1},
                                                                         {32, 1},
                                                                         {33, 1},
                                                                         {512, 80},
                                                                         {10'007, 80},
                                                                         {4'294'967'297, 16},
                                                                         {0, 80}})
              if (!launch_of(n, multiprocessors, report)) return;
            for (const std::size_t n : {0, 1, 33, 10'007})
              if (!halved(n, report)) return;
          }};
}
