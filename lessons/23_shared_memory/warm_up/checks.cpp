// What the warm-up for 23 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <string>
#include <vector>

// All threads of the block meet once more. If a thread has left out a barrier, the others wait for it here.
GS_FN void from_the_first_and_go_on(gs::thread t, gs::shared<start> first, gs::view<const float> x,
                                    gs::view<float> out) {
  from_the_first(t, first, x, out);
  t.sync();
}

namespace {

bool differences_of(std::size_t n, std::size_t piece, workbook::report& report) {
  const std::string name = std::to_string(n) + " numbers in pieces of " + std::to_string(piece);
  const auto x = gs::uniform<float>({n}, n + 1), out = gs::to_device(std::vector(n, std::nanf("")));
  const std::size_t pieces = (n + piece - 1) / piece;
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<from_the_first_and_go_on>({.grid = pieces, .block = piece}, x, out); });
  if (!is_clean(seen, report)) return false;
  const std::vector<float> numbers = x.copy_to_host(), got = out.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += got[i] != numbers[i] - numbers[i / piece * piece];
  if (!report.check_equal(name + ", wrong differences", wrong, 0)) return false;
  if (!gs::can_inspect()) return true;
  workbook::counted_by_line reads;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::read)
      reads.add(line.where, line.accesses);
  return check_at_most(report, name + ", reads of global memory", reads, n + pieces);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 23,
          .name = "shared_memory",
          .task = "a number that one thread fetches for its block",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {256, 1, 31, 32, 33, 1009})
              for (const std::size_t piece : {64, 1, 100})
                if (!differences_of(n, piece, report)) return;
          }};
}
