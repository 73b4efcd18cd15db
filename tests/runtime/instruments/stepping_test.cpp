// A debugger stops at the thread that GRIDSTRIDE_STEP names: this program under gdb, which runs one of its own tests.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/gs.h"

// Not in an unnamed namespace, where the compiler takes more of their parameters apart.
namespace stepped {

GS_FN void scale(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  t.sync();
  y[t.grid()] = 2 * x[t.grid()];
}
constexpr int line_of_shift = __LINE__ + 1;
GS_FN void shift(gs::block<16, 2> block, gs::view<const float> x, gs::view<float> y) {
  block.each([&](auto t) {
    const unsigned i = t.rank();
    y[i] = x[i];
  });
  block.each([&](auto t) {
    const unsigned i = t.rank();
    y[i] = x[i] + 1;
  });
}

}  // namespace stepped

namespace {

using stepped::scale, stepped::shift;

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
  std::string out;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), n);
  pclose(pipe);
  return out;
}

std::string under_gdb(const std::string& chosen, const std::string& commands) {
  return output_of("GRIDSTRIDE_STEP='" + chosen + "' gdb -batch -x " STEPPING_SCRIPT " -ex run " + commands +
                   " --args /proc/" + std::to_string(getpid()) +
                   "/exe --gtest_filter=debugged.* --gtest_also_run_disabled_tests");
}

int count(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class stepping : public testing::Test {
 protected:
  void SetUp() override {
    if (output_of("gdb -batch -ex 'print 6 * 7'").find("42") == std::string::npos)
      GTEST_SKIP() << "gdb isn't installed";
    if (output_of("gdb -batch -ex run --args /bin/true").find("exited normally") == std::string::npos)
      GTEST_SKIP() << "gdb may not run programs here";
  }
};

}  // namespace

// What the debugger looks at.
TEST(debugged, DISABLED_kernels) {
  gs::select_device(gs::device_kind::engine);
  const auto x = gs::to_device(std::vector<float>(128, 3.0f));
  auto y = gs::to_device(std::vector<float>(128));
  gs::launch<scale>({.grid = 4, .block = 32}, x, y);
  gs::launch<shift>({.grid = 4}, x, y);
  gs::synchronize();
}

TEST_F(stepping, stops_where_the_chosen_thread_begins) {
  const std::string transcript = under_gdb(
      "scale block 3 thread 17", "-ex 'tbreak stepped::scale' -ex continue -ex 'print *x.data_' -ex continue");
  EXPECT_EQ(count(transcript, "hit Breakpoint 1, gs_chosen_thread_begins"), 1) << transcript;
  EXPECT_EQ(count(transcript, "hit Temporary breakpoint 2, stepped::scale (t="), 1) << transcript;
  EXPECT_NE(transcript.find("= 3\n"), std::string::npos) << transcript;
  EXPECT_NE(transcript.find("[  PASSED  ] 1 test."), std::string::npos)
      << transcript;  // gdb may miss the very end of a program
}

TEST_F(stepping, stops_in_each_part_of_block_style) {
  const std::string into_body = " -ex finish -ex step -ex 'backtrace 2' -ex continue";
  const std::string transcript = under_gdb("shift block 2 thread 5,1", into_body + into_body);
  EXPECT_EQ(count(transcript, "hit Breakpoint 1, gs_chosen_thread_begins"), 2) << transcript;
  EXPECT_GE(count(transcript, "number=21"), 2) << transcript;
  for (const int line : {stepped::line_of_shift + 3, stepped::line_of_shift + 7})
    EXPECT_NE(transcript.find("stepping_test.cpp:" + std::to_string(line)), transcript.npos) << transcript;
}

TEST_F(stepping, a_thread_that_never_runs_is_not_met) {
  for (const char* chosen : {"scale block 4 thread 0", "scale block 0 thread 32", "another block 0 thread 0"}) {
    const std::string transcript = under_gdb(chosen, "");
    EXPECT_EQ(count(transcript, "hit Breakpoint"), 0) << transcript;
    EXPECT_NE(transcript.find("[  PASSED  ] 1 test."), std::string::npos)
        << transcript;  // gdb may miss the very end of a program
  }
}

TEST(stepping_without_gdb, a_thread_that_never_came_is_told_at_the_end) {
  const std::string program =
      "/proc/" + std::to_string(getpid()) + "/exe --gtest_filter=debugged.* --gtest_also_run_disabled_tests";
  const std::string not_reached = "GRIDSTRIDE_STEP: no launched kernel had the chosen thread; there were ";
  EXPECT_NE(output_of("GRIDSTRIDE_STEP='scale block 4 thread 0' " + program).find(not_reached), std::string::npos);
  EXPECT_EQ(output_of("GRIDSTRIDE_STEP='scale block 3 thread 0' " + program).find(not_reached), std::string::npos);
}

TEST(stepping_without_gdb, a_wrong_choice_is_refused_by_the_launch) {
  gs::select_device(gs::device_kind::engine);
  const auto x = gs::to_device(std::vector<float>(128));
  auto y = gs::to_device(std::vector<float>(128));
  setenv("GRIDSTRIDE_STEP", "block three", 1);
  gs::launch<scale>({.grid = 4, .block = 32}, x, y);
  EXPECT_THROW(gs::synchronize(), gs::error);
  unsetenv("GRIDSTRIDE_STEP");
}
