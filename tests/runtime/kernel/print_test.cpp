// gs::print: lines from the threads of a kernel.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/gs.h"

namespace {

GS_FN void print_all_kinds(gs::thread t, float f, double d, int i, unsigned u, bool b) {
  if (t.block_idx() == gs::index3{1, 0, 0} && t.thread_idx() == gs::index3{3, 2, 0})
    gs::print(t, "values", f, d, i, u, b, 'c' == 'c', "end");
}
GS_FN void print_rank(gs::thread t) { gs::print(t, t.grid()); }
GS_FN void print_nothing(gs::thread t) { gs::print(t); }
GS_FN void print_in_each(gs::block<4, 2> block, gs::view<const float> x) {
  block.each([&](auto t) {
    if (t.x == 1) gs::print(t, "x =", x[t.rank()]);
  });
}

// The lines that `work` prints, sorted: the order of blocks isn't promised.
template <class Work>
std::vector<std::string> lines_of(const Work& work) {
  testing::internal::CaptureStdout();
  work();
  gs::synchronize();
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

using lines = std::vector<std::string>;

}  // namespace

TEST(print, writes_values_as_they_are) {
  EXPECT_EQ(
      lines_of([] { gs::launch<print_all_kinds>({.grid = 2, .block = {4, 4}}, 0.1f, 0.1, -7, 4'000'000'000u, true); }),
      lines{"block (1, 0, 0) thread (3, 2, 0): values 0.1 0.1 -7 4000000000 1 1 end"});
}

TEST(print, gives_every_thread_a_line_of_its_own) {
  const lines printed = lines_of([] { gs::launch<print_rank>({.grid = 40, .block = 16}); });
  lines expected;
  for (int i = 0; i < 640; ++i)
    expected.push_back("block (" + std::to_string(i / 16) + ", 0, 0) thread (" + std::to_string(i % 16) +
                       ", 0, 0): " + std::to_string(i));
  std::ranges::sort(expected);
  EXPECT_EQ(printed, expected);
}

TEST(print, may_have_no_values) {
  EXPECT_EQ(lines_of([] { gs::launch<print_nothing>({}); }), lines{"block (0, 0, 0) thread (0, 0, 0):"});
}

TEST(print, works_in_block_style) {
  const auto x = gs::to_device(std::vector<float>{0, 1.5f, 2, 3, 4, -5e10f, 6, 7});
  EXPECT_EQ(lines_of([&] { gs::launch<print_in_each>({}, x); }),
            (lines{"block (0, 0, 0) thread (1, 0, 0): x = 1.5", "block (0, 0, 0) thread (1, 1, 0): x = -5e+10"}));
}
