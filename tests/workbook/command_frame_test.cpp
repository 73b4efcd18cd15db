// How a command ends: its status, and what it prints about what was thrown.

#include "workbook/command/command_frame.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/command/exit_status.h"

namespace command_frame_test {

std::pair<int, std::string> ending_of(gs::detail::function_ref<int()> command) {
  testing::internal::CaptureStderr();
  const int status = workbook::run_command("gridstride-toy", command);
  return {status, testing::internal::GetCapturedStderr()};
}

TEST(command_frame, a_command_ends_with_its_own_status) {
  for (int status : {0, 1, 2, 3, 130}) EXPECT_EQ(ending_of([&] { return status; }), std::pair(status, std::string()));
}

TEST(command_frame, an_exception_becomes_a_message_and_a_status) {
  EXPECT_EQ(ending_of([]() -> int { throw gs::error("run 7", "there is no lesson 7", "choose one of 1, 2"); }),
            std::pair(int{workbook::exit_wrong_usage},
                      std::string("gridstride-toy: run 7: there is no lesson 7; choose one of 1, 2\n")));
  EXPECT_EQ(ending_of([]() -> int { throw gs::machine_error("draw", "there is no font", "install one"); }),
            std::pair(int{workbook::exit_machine_lacks},
                      std::string("gridstride-toy: draw: there is no font; install one\n")));
  EXPECT_EQ(ending_of([]() -> int { throw std::runtime_error("the disk is full"); }),
            std::pair(int{workbook::exit_machine_lacks}, std::string("gridstride-toy: the disk is full\n")));
}

TEST(command_frame, a_message_cannot_steer_the_terminal) {
  EXPECT_EQ(ending_of([]() -> int { throw std::runtime_error("\033[2Jx"); }).second, "gridstride-toy: ?[2Jx\n");
}

TEST(command_frame, what_is_no_exception_passes_through) {
  EXPECT_THROW(workbook::run_command("gridstride-toy", []() -> int { throw 7; }), int);
}

}  // namespace command_frame_test
