// What exercise 23 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

// What a block does after it has sorted its piece, or has found its peak: all its threads meet. If a thread has left
// out a barrier, by an `if` or a return, the others wait for it here.
GS_FN void sort_and_go_on(gs::thread t, gs::shared<buffer> s, gs::view<const float> in, gs::view<float> out) {
  sort_channels(t, s, in, out);
  t.sync();
}
GS_FN void peak_and_go_on(gs::thread t, gs::shared<buffer> s, gs::view<const float> in, gs::view<float> peaks) {
  peak_of_piece(t, s, in, peaks);
  t.sync();
}

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::size_t pieces_of(std::size_t n) { return (n + piece - 1) / piece; }

bool channels_at(std::size_t n, workbook::report& report) {
  const auto in = gs::uniform<float>({n}, n), out = gs::to_device(std::vector<float>(n, nan));
  const auto launch = [&] { gs::launch<sort_channels>({.grid = pieces_of(n), .block = piece}, in, out); };
  if (!is_clean(gs::inspect(launch), report)) return false;
  const std::vector<float> x = in.copy_to_host(), got = out.copy_to_host();
  std::vector<float> expected;
  for (std::size_t begin = 0; begin < n; begin += piece)
    for (const std::size_t channel : {0, 1})
      for (std::size_t i = begin + channel; i < std::min(n, begin + piece); i += 2) expected.push_back(x[i]);
  const auto [wrong, right] = std::ranges::mismatch(got, expected);
  const std::string size = std::to_string(n) + " samples";
  if (wrong == got.end()) return report.check("channels of " + size, true);
  return report.check_equal("channels of " + size + ": out[" + std::to_string(wrong - got.begin()) + "]", *wrong,
                            *right);
}

bool every_thread_meets_in_sort(std::size_t n, workbook::report& report) {
  const auto in = gs::uniform<float>({n}, n), out = gs::to_device(std::vector<float>(n, nan));
  return is_clean(gs::inspect([&] { gs::launch<sort_and_go_on>({.grid = pieces_of(n), .block = piece}, in, out); }),
                  report);
}
bool every_thread_meets_in_peak(std::size_t n, workbook::report& report) {
  const auto in = gs::uniform<float>({n}, n), peaks = gs::to_device(std::vector<float>(pieces_of(n), nan));
  return is_clean(gs::inspect([&] { gs::launch<peak_and_go_on>({.grid = pieces_of(n), .block = piece}, in, peaks); }),
                  report);
}

bool traffic(workbook::report& report) {
  const auto in = gs::uniform<float>({10 * piece}, 3), out = gs::to_device(std::vector<float>(10 * piece, nan));
  const gs::inspection seen = gs::inspect([&] { gs::launch<sort_channels>({.grid = 10, .block = piece}, in, out); });
  workbook::counted_by_line sectors;
  for (const gs::line_counters& line : seen.lines) sectors.add(line.where, line.sectors);
  return check_at_most(report, "sectors of memory for 640 samples, in and out", sectors, 160) &&
         report.check("threads of a warp work together", workbook::lanes_together(seen) >= 16);
}

bool peaks_at(std::size_t n, workbook::report& report) {
  // Whole pieces below 0, and others that hold both signs; missing numbers of the last piece count as 0.
  std::vector<float> values = gs::uniform<float>({n}, n + 1).copy_to_host();
  for (std::size_t i = 0; i < n; ++i) values[i] -= i / piece % 2 == 0 ? 0.5f : 2.0f;
  const auto in = gs::to_device(values);
  const auto peaks = gs::to_device(std::vector<float>(pieces_of(n), nan));
  const auto launch = [&] { gs::launch<peak_of_piece>({.grid = pieces_of(n), .block = piece}, in, peaks); };
  if (!is_clean(gs::inspect(launch), report)) return false;
  const std::vector<float> x = in.copy_to_host(), got = peaks.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    float expected = (k + 1) * piece <= n ? -std::numeric_limits<float>::infinity() : 0;
    for (std::size_t i = k * piece; i < std::min(n, (k + 1) * piece); ++i) expected = std::max(expected, x[i]);
    wrong += got[k] != expected;
  }
  return report.check_equal("wrong peaks of " + std::to_string(n) + " samples", wrong, 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 23,
          .name = "shared_memory",
          .task = "the channels of a recording by way of shared memory, and a forgotten barrier",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {64, 640, 1, 2, 31, 32, 33, 63, 65, 1009})
              if (!channels_at(n, report)) return;
            if (gs::can_inspect() && !traffic(report)) return;
            for (const std::size_t n : {64, 33, 97})
              if (!every_thread_meets_in_sort(n, report)) return;
            for (const std::size_t n : {64, 1, 31, 33, 128, 1009, 4096})
              if (!peaks_at(n, report)) return;
            for (const std::size_t n : {64, 33, 97})
              if (!every_thread_meets_in_peak(n, report)) return;
          }};
}
