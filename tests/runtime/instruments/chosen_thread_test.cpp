// GRIDSTRIDE_STEP.

#include "runtime/observe/chosen_thread.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/runtime/refused.h"

using gs::detail::chosen_thread;
using gs::detail::parse_chosen_thread;
using runtime_test::refused;

TEST(chosen_thread, is_read_in_words_and_in_short) {
  EXPECT_EQ(parse_chosen_thread("block 3 thread 17"), (chosen_thread{"", {3, 0, 0}, {17, 0, 0}}));
  EXPECT_EQ(parse_chosen_thread("  block 3,1  thread 17, 2, 4 "), (chosen_thread{"", {3, 1, 0}, {17, 2, 4}}));
  EXPECT_EQ(parse_chosen_thread("3,0,0:17,0,0"), (chosen_thread{"", {3, 0, 0}, {17, 0, 0}}));
  EXPECT_EQ(parse_chosen_thread("3:17"), (chosen_thread{"", {3, 0, 0}, {17, 0, 0}}));
  EXPECT_EQ(parse_chosen_thread("add_kernel block 3 thread 17"), (chosen_thread{"add_kernel", {3, 0, 0}, {17, 0, 0}}));
  EXPECT_EQ(parse_chosen_thread("ns::add<float> 0,2:1,1"), (chosen_thread{"ns::add<float>", {0, 2, 0}, {1, 1, 0}}));
}

TEST(chosen_thread, is_one_thread_of_one_block) {
  const chosen_thread of_any_kernel = parse_chosen_thread("1,2:3"), of_named_kernel = parse_chosen_thread("add 1,2:3");
  EXPECT_TRUE(of_any_kernel.is("add", {1, 2, 0}, {3, 0, 0}));
  EXPECT_TRUE(of_any_kernel.is("mul", {1, 2, 0}, {3, 0, 0}));
  EXPECT_FALSE(of_any_kernel.is("add", {1, 2, 1}, {3, 0, 0}));
  EXPECT_FALSE(of_any_kernel.is("add", {1, 2, 0}, {4, 0, 0}));
  EXPECT_TRUE(of_named_kernel.is("add", {1, 2, 0}, {3, 0, 0}));
  EXPECT_FALSE(of_named_kernel.is("mul", {1, 2, 0}, {3, 0, 0}));
  EXPECT_TRUE(of_named_kernel.is("{anonymous}::add", {1, 2, 0}, {3, 0, 0}));
  EXPECT_FALSE(of_named_kernel.is("madd", {1, 2, 0}, {3, 0, 0}));
}

TEST(chosen_thread, refuses_any_other_text) {
  for (const char* wrong : {"", "block 3", "thread 17", "3", "3:", ":17", "3:17:1", "3 17", "block 3:17", "-1:2",
                            "1,2,3,4:0", "block x thread 1", "99999999999:1", "1.5:2", "add mul 1:2"})
    EXPECT_TRUE(refused([&] { parse_chosen_thread(wrong); },
                        {"GRIDSTRIDE_STEP", std::string("'") + wrong + "'", "'block 3 thread 17' or '3,0,0:17,0,0'"}))
        << wrong;
}

TEST(chosen_thread, comes_from_the_environment) {
  unsetenv("GRIDSTRIDE_STEP");
  EXPECT_FALSE(gs::detail::chosen_thread_from_environment());
  setenv("GRIDSTRIDE_STEP", "", 1);
  EXPECT_FALSE(gs::detail::chosen_thread_from_environment());
  setenv("GRIDSTRIDE_STEP", "2:5", 1);
  EXPECT_EQ(gs::detail::chosen_thread_from_environment(), (chosen_thread{"", {2, 0, 0}, {5, 0, 0}}));
  setenv("GRIDSTRIDE_STEP", "two", 1);
  EXPECT_TRUE(refused([] { gs::detail::chosen_thread_from_environment(); }, {"'two'"}));
  unsetenv("GRIDSTRIDE_STEP");
}

TEST(chosen_thread, has_a_place_for_a_breakpoint) { gs_chosen_thread_begins(); }
