// watch: builds and runs at each save, on a terminal.

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

#include "tests/programs/written_programs.h"

namespace {

using programs_test::ending, programs_test::expect_in;

// gridstride-program watch on a terminal of its own.
class watched {
 public:
  watched(const std::filesystem::path& folder, const std::string& file) {
    child_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    if (chdir(folder.c_str()) == 0) execl(PROGRAM, PROGRAM, "watch", file.c_str(), "argument", nullptr);
    _exit(127);
  }
  ~watched() {
    if (!started()) return;  // kill(-1) would end every process of this user
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(terminal_);
  }
  watched(const watched&) = delete;

  bool started() const { return child_ > 0; }
  // Whether it says this within a minute.
  bool says(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (output_.find(text) == output_.npos) {
      if (std::chrono::steady_clock::now() > end) return false;
      pollfd waited{terminal_, POLLIN, 0};
      char piece[4096];
      if (poll(&waited, 1, 100) <= 0) continue;
      const ssize_t n = read(terminal_, piece, sizeof piece);
      if (n <= 0) return false;
      output_.append(piece, static_cast<std::size_t>(n));
    }
    output_.erase(0, output_.find(text) + text.size());
    return true;
  }
  int status_after(char key) {
    if (write(terminal_, &key, 1) != 1) return -1;
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0x7fffffff;  // nobody
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& output() const { return output_; }

 private:
  pid_t child_ = 0;
  int terminal_ = -1;
  std::string output_;
};

struct watch_program : programs_test::written_programs {};

}  // namespace

TEST_F(watch_program, runs_at_each_save_and_ends_what_runs) {
  write("a.cpp", "#include <cstdio>\nint main(int, char** v) { std::printf(\"first %s\\n\", v[1]); }\n");
  watched program(folder.path(), "a.cpp");
  if (!program.started()) GTEST_SKIP() << "this machine makes no pseudo-terminals, as without /dev/pts";
  EXPECT_TRUE(program.says("first argument")) << program.output();
  EXPECT_TRUE(program.says("q quit"));
  write("a.cpp",
        "#include <cstdio>\nint main() { std::puts(\"endless\"); std::fflush(stdout); for (volatile int k = 0;;) k = "
        "k; }\n");
  EXPECT_TRUE(program.says("endless")) << program.output();
  write("a.cpp", "int main() { return 3 }\n");
  EXPECT_TRUE(program.says("a.cpp doesn't compile.")) << program.output();
  EXPECT_TRUE(program.says("q quit"));
  write("a.cpp", "int main() { return 3; }\n");
  EXPECT_TRUE(program.says("It ended with status 3.")) << program.output();
  EXPECT_EQ(program.status_after('q'), 0);
}

TEST_F(watch_program, without_a_keyboard_ends_at_what_is_no_program) {
  write("none.cpp", "int f() { return 1; }\n");
  const ending e = run("watch none.cpp");
  EXPECT_EQ(e.status, 2);
  EXPECT_EQ(e.out, "");
  EXPECT_EQ(e.error,
            "gridstride: compile none.cpp: it has no main; write int main(), or workbook::this_lesson() for a report "
            "with plots\n");
}

TEST_F(watch_program, without_a_keyboard_runs_once) {
  write("a.cpp", "#include <cstdio>\nint main() { std::puts(\"once\"); }\n");
  const ending e = run("watch a.cpp");
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.out, "once\n");
  expect_in("The standard input has ended, and with it the watch: a.cpp was run as it is now.", e.error);
}
