// Child processes: what they print, how they end, and that none is left behind.

#include "workshop/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "runtime/core/error.h"

namespace process_test {

using workshop::process;
using workshop::process_event;
using workshop::run_program;

process::clock::time_point in_seconds(int seconds) { return process::clock::now() + std::chrono::seconds(seconds); }

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

// Whether a process with this word in its command line is there.
bool is_running(const std::string& word) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string text;
    std::getline(file, text);
    if (text.find(word) != text.npos) return true;
  }
  return false;
}

TEST(process, keeps_what_is_printed_in_order) {
  const auto result = run_program({.command = shell("echo one; echo two >&2; echo three; exit 7")}, 10);
  EXPECT_EQ(result.output, "one\ntwo\nthree\n");
  EXPECT_EQ(result.status, 7);
  EXPECT_FALSE(result.timed_out);
}

TEST(process, tells_by_which_signal_it_ended) {
  EXPECT_EQ(run_program({.command = shell("kill -SEGV $$")}, 10).status, 128 + SIGSEGV);
}

TEST(process, cuts_and_counts_output) {
  process p({.command = shell("head -c 3000000 /dev/zero | tr '\\0' x"), .output_bytes = 1000});
  EXPECT_EQ(p.wait(in_seconds(20)), process_event::ended);
  p.end();
  EXPECT_EQ(p.output(), std::string(1000, 'x'));
  EXPECT_EQ(p.output_written(), 3'000'000u);
}

TEST(process, is_stopped_at_its_deadline_with_all_it_started) {
  const auto result = run_program({.command = shell("sleep 86399 & sleep 86398")}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.status, 128 + SIGKILL);
  EXPECT_FALSE(
      is_running(std::string("sleep\0"
                             "8639",
                             10)));
}

TEST(process, hands_over_the_descriptors_it_is_given_and_no_other) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto result =
      run_program({.command = shell("echo through >&4; ls /proc/$$/fd; true"), .descriptors = {ends[0], ends[1]}}, 10);
  EXPECT_EQ(result.output, "0\n1\n2\n3\n4\n");
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 8);
  EXPECT_STREQ(text, "through\n");
  close(ends[0]);
  close(ends[1]);
}

TEST(process, has_an_environment_of_its_own) {
  setenv("GRIDSTRIDE_SECRET", "of the parent", 1);
  EXPECT_EQ(run_program({.command = shell("echo $GRIDSTRIDE_SECRET$LANG")}, 10).output, "C.UTF-8\n");
}

TEST(process, waits_for_another_descriptor_too) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  process p({.command = shell("echo x >&3; sleep 86397"), .descriptors = {ends[1]}});
  EXPECT_EQ(p.wait(in_seconds(10), ends[0]), process_event::readable);
  close(ends[0]);
  close(ends[1]);
}

TEST(process, says_what_it_could_not_start) {
  try {
    run_program({.command = {"/there/is/no/such/program"}}, 1);
    FAIL() << "it was started";
  } catch (const gs::machine_error& e) {
    EXPECT_STREQ(e.what(),
                 "start /there/is/no/such/program: No such file or directory; install what is missing, or close other "
                 "programs");
  }
}

}  // namespace process_test
