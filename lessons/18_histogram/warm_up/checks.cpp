// What the warm-up for 18 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <string>
#include <vector>

// All threads of the block meet once more. If a thread has left out a barrier, the others wait for it here.
GS_FN void count_blanks_and_go_on(gs::thread t, gs::shared<counter> own, gs::view<const std::uint8_t> text,
                                  gs::view<unsigned> count) {
  count_blanks(t, own, text, count);
  t.sync();
}

namespace {

std::vector<std::uint8_t> random_text(std::size_t n) {
  std::vector<std::uint8_t> text;
  for (const int draw : gs::integers<int>({n}, 0, 64, n + 1).copy_to_host())
    text.push_back(static_cast<std::uint8_t>(draw < 40 ? ' ' : 'a' + draw % 26));
  return text;
}

bool blanks_of(std::size_t n, std::size_t grid, std::size_t block, workbook::report& report) {
  const std::string name = "blanks of " + std::to_string(n) + " bytes by " + std::to_string(grid) + " x " +
                           std::to_string(block) + " threads";
  const std::vector<std::uint8_t> text = random_text(n);
  const auto count = gs::to_device(std::vector<unsigned>{5});  // of other texts
  const auto device_text = gs::to_device(text);
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<count_blanks_and_go_on>({.grid = grid, .block = block}, device_text, count); });
  if (!is_clean(seen, report)) return false;
  if (!report.check_equal(name + ", added to 5 others", count.copy_to_host()[0], 5 + std::ranges::count(text, ' ')))
    return false;
  if (!gs::can_inspect()) return true;
  workbook::counted_by_line additions;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::atomic)
      additions.add(line.where, line.accesses);
  return check_at_most(report, name + ", additions to global memory", additions, grid) &&
         (n < 1000 || block < 32 ||
          report.check(name + ", threads of a warp work together", workbook::lanes_together(seen) >= 8));
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 18,
          .name = "histogram",
          .task = "blanks counted by each block for itself",
          .check = [](workbook::report& report) {
            if (!blanks_of(2000, 4, 128, report)) return;
            for (const std::size_t n : {0, 1, 31, 32, 33, 1009})
              for (const std::size_t block : {64, 1, 100})
                if (!blanks_of(n, 3, block, report)) return;
          }};
}
