// Other programs started: what is passed to them, and how they end.

#include "runtime/host/start_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/host/descriptor.h"

namespace start_process_test {

struct ended {
  int status;
  std::string output;
};

// Runs it with our end of a pipe as its standard output.
ended run(gs::detail::start_options o) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {-1, "no pipe"};
  const gs::detail::descriptor reading(ends[0]);
  gs::detail::descriptor writing(ends[1]);
  o.output = writing.number();
  const pid_t id = gs::detail::start_process(o);
  writing.close();
  std::string output;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = read(reading.number(), piece.data(), piece.size())) > 0;)
    output.append(piece.data(), static_cast<std::size_t>(n));
  return {gs::detail::wait_for_process(id), output};
}

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

TEST(start_process, tells_how_it_ended) {
  EXPECT_EQ(run({.command = {"true"}}).status, 0);
  EXPECT_EQ(run({.command = shell("exit 7")}).status, 7);
  EXPECT_EQ(run({.command = shell("kill -TERM $$")}).status, 128 + SIGTERM);
}

TEST(start_process, gives_it_an_empty_input_and_the_folder_that_was_asked_for) {
  EXPECT_EQ(run({.command = shell("cat; pwd"), .directory = "/usr"}).output, "/usr\n");
  EXPECT_EQ(run({.command = {"pwd"}}).output, std::filesystem::current_path().string() + "\n");
}

TEST(start_process, gives_it_an_environment_or_its_own) {
  EXPECT_EQ(run({.command = {"/usr/bin/env"}, .environment = {{"A=1", "B=x y"}}}).output, "A=1\nB=x y\n");
  setenv("A_TEST_OF_START_PROCESS", "here", 1);
  EXPECT_EQ(run({.command = shell("echo $A_TEST_OF_START_PROCESS")}).output, "here\n");
}

TEST(start_process, passes_on_the_descriptors_it_is_given_whatever_their_numbers) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);  // every child that doesn't close it inherits it
  const gs::detail::descriptor reading(ends[0]), writing(ends[1]);
  ASSERT_EQ(write(writing.number(), "a\nb\n", 4), 4);
  const int high = fcntl(reading.number(), F_DUPFD, 100);
  const gs::detail::descriptor copy(high);
  EXPECT_EQ(
      run({.command = shell("read x <&3; read y <&4; echo $x$y"), .descriptors = {reading.number(), high}}).output,
      "ab\n");
  // ls has one more open: the folder that it looks into.
  EXPECT_EQ(run({.command = shell("ls /proc/self/fd | wc -l")}).output, "4\n");
}

TEST(start_process, lets_no_signal_be_blocked_or_ignored) {
  const auto earlier_handler = signal(SIGTERM, SIG_IGN);
  sigset_t blocked, earlier;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigprocmask(SIG_BLOCK, &blocked, &earlier);
  EXPECT_EQ(run({.command = shell("kill -TERM $$")}).status, 128 + SIGTERM);
  EXPECT_EQ(run({.command = shell("kill -INT $$")}).status, 128 + SIGINT);
  sigprocmask(SIG_SETMASK, &earlier, nullptr);
  signal(SIGTERM, earlier_handler);
}

TEST(start_process, gives_it_a_session_of_its_own_unless_it_is_to_share_ours) {
  const auto session = shell("cut -d' ' -f6 /proc/$$/stat");
  EXPECT_NE(run({.command = session}).output, std::to_string(getsid(0)) + "\n");
  EXPECT_EQ(run({.command = session, .own_session = false}).output, std::to_string(getsid(0)) + "\n");
}

TEST(start_process, says_why_it_could_not) {
#if !defined(__x86_64__)
  char name[] = "/no such program", *const words[] = {name, nullptr};
  if (pid_t id = 0; posix_spawn(&id, name, nullptr, nullptr, words, environ) == 0) {
    gs::detail::wait_for_process(id);
    GTEST_SKIP() << "posix_spawn says nothing of it here: qemu's vfork is a fork";
  }
#endif
  try {
    gs::detail::start_process({.command = {"/no/such/program"}});
    ADD_FAILURE() << "it was started";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code().value(), ENOENT);
  }
}

}  // namespace start_process_test
