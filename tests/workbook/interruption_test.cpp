// Ctrl-C while a lesson runs: its results so far are shown, and the program ends by the signal.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "tests/temporary_folder.h"

#if !defined(__SANITIZE_ADDRESS__)  // handles signals itself

namespace {

using namespace std::chrono_literals;

class lesson_that_lasts : public testing::Test {
 protected:
  ~lesson_that_lasts() override {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  /// Starts it, and returns when it has begun what lasts.
  void start(std::vector<std::string> options) {
    options.insert(options.begin(), LONG_LESSON);
    std::vector<char*> arguments;
    for (std::string& option : options) arguments.push_back(option.data());
    arguments.push_back(nullptr);
    const std::string out = folder_ / "out", err = folder_ / "err";
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      signal(SIGINT, SIG_DFL);
      if (!freopen("/dev/null", "r", stdin) || !freopen(out.c_str(), "w", stdout) || !freopen(err.c_str(), "w", stderr))
        _exit(126);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    const auto deadline = std::chrono::steady_clock::now() + 120s;
    while (text_of("err").find("begun") == std::string::npos) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << text_of("err");
      ASSERT_EQ(waitpid(child_, &status_, WNOHANG), 0) << text_of("err");
      std::this_thread::sleep_for(10ms);
    }
  }
  void interrupt() const { kill(child_, SIGINT); }
  /// Waits for its end, and returns the signal that it has ended by; 0 if by none.
  int signal_at_end() {
    waitpid(std::exchange(child_, 0), &status_, 0);
    return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
  }
  std::string text_of(const char* file) const {
    std::ifstream in(folder_ / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void expect_in(const char* text, const char* file) const {
    EXPECT_NE(text_of(file).find(text), std::string::npos) << text << " in: " << text_of(file);
  }

  const gridstride_test::temporary_folder folder_;
  pid_t child_ = 0;
  int status_ = 0;
};

TEST_F(lesson_that_lasts, shows_its_report_so_far_and_the_kernel) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "kernel"}));
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("What was found before.", "out");
  expect_in("a check before", "out");
  EXPECT_EQ(text_of("out").find("What was found after."), std::string::npos) << text_of("out");
  expect_in("97_long: interrupted while kernel go_on_for_long runs; ./gridstride inspect 97 says at which line\n",
            "err");
}

TEST_F(lesson_that_lasts, shows_its_report_so_far_where_no_kernel_runs) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "host"}));
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("What was found before.", "out");
  expect_in("97_long: interrupted\n", "err");
}

TEST_F(lesson_that_lasts, prints_one_document) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "kernel", "--json"}));
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  const auto document = nlohmann::json::parse(text_of("out"), nullptr, false);
  ASSERT_TRUE(document.is_object()) << text_of("out");
  EXPECT_EQ(document["checks"]["all"], 1);
  EXPECT_EQ(document["error"]["exit_status"], 130);
}

TEST_F(lesson_that_lasts, takes_signals_at_once_for_one_interruption) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "kernel"}));
  interrupt();
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("What was found before.", "out");
}

#if GRIDSTRIDE_CHECKED
TEST_F(lesson_that_lasts, ends_at_once_the_second_time) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "no_access", "--inspect"}));
  interrupt();
  std::this_thread::sleep_for(500ms);
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("97_long: interrupted while kernel compute_for_long runs\n", "err");
}

TEST_F(lesson_that_lasts, shows_the_findings_so_far_of_an_inspection) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "kernel", "--inspect", "--orders", "1"}));
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("a check before", "out");
  expect_in("write_in_turn", "out");
  expect_in("kernel go_on_for_long: interrupted in thread ", "err");
  expect_in("long_lesson.cpp:", "err");
}

TEST_F(lesson_that_lasts, shows_the_findings_also_where_a_kernel_accesses_nothing) {
  ASSERT_NO_FATAL_FAILURE(start({"--how", "no_access", "--inspect", "--orders", "1"}));
  interrupt();
  EXPECT_EQ(signal_at_end(), SIGINT);
  expect_in("write_in_turn", "out");
  expect_in("Stopped early.", "out");
  expect_in("97_long: interrupted while kernel compute_for_long runs\n", "err");
}
#endif

}  // namespace

#endif
