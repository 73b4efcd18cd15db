// gridstride-exercise watch, with a pipe as its keyboard.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/exercises/small_course.h"

namespace {

namespace fs = std::filesystem;

class watch : public exercises_test::small_course {
 protected:
  void start(const std::string& exercise) {
    int in[2], out[2];
    ASSERT_EQ(pipe2(in, O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    std::string program = EXERCISE_PROGRAM, command = "watch", which = exercise;
    char* words[] = {program.data(), command.data(), which.data(), nullptr};
    ASSERT_EQ(posix_spawn(&child, program.c_str(), &actions, nullptr, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    keyboard = in[1];
    screen = out[0];
  }
  void TearDown() override {
    if (child > 0) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    for (const int end : {keyboard, screen})
      if (end >= 0) close(end);
    small_course::TearDown();
  }

  void press(const std::string& keys) { ASSERT_EQ(::write(keyboard, keys.data(), keys.size()), ssize_t(keys.size())); }
  void end_input() {
    close(keyboard);
    keyboard = -1;
  }
  // Takes what it shows until `text` is there, or for a minute.
  bool shows(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (screen_text.find(text) == screen_text.npos) {
      pollfd poll_entry{screen, POLLIN, 0};
      if (std::chrono::steady_clock::now() > deadline || poll(&poll_entry, 1, 60'000) <= 0) return false;
      char piece[4096];
      const ssize_t n = read(screen, piece, sizeof piece);
      if (n <= 0) return false;
      screen_text.append(piece, static_cast<std::size_t>(n));
    }
    return true;
  }
  int exit_status() {
    while (shows("never shown")) {
    }
    int status = 0;
    waitpid(child, &status, 0);
    child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // As editors save: another file, renamed.
  void save(const std::string& text, const std::string& name = "91_constant.cpp") {
    screen_text.clear();
    write(".draft", text);
    fs::rename(my / ".draft", my / name);
  }
  static std::string answer(const std::string& value) { return "inline constexpr int answer = " + value + ";\n"; }

  pid_t child = 0;
  int keyboard = -1, screen = -1;
  std::string screen_text;
};

}  // namespace

TEST_F(watch, checks_after_every_save_and_moves_on_when_asked) {
  start("91");
  ASSERT_TRUE(shows("expected 42, got 0")) << screen_text;
  save(answer("7"));
  ASSERT_TRUE(shows("expected 42, got 7")) << screen_text;
  press("n");
  ASSERT_TRUE(shows("91_constant has not passed yet")) << screen_text;
  press("h");
  ASSERT_TRUE(shows("Hint 1 of 1")) << screen_text;
  fs::remove(my / "91_constant.cpp");
  ASSERT_TRUE(shows("is gone")) << screen_text;
  save(answer("42"));
  ASSERT_TRUE(shows("1 check passed")) << screen_text;
  press("n");
  ASSERT_TRUE(shows("90 counter")) << screen_text;
  ASSERT_TRUE(shows("above 3.5 of 1009")) << screen_text;
  press("q");
  EXPECT_EQ(exit_status(), 0);
  EXPECT_NE(exercises_test::text_of(my / "progress.txt").find("91 constant passed"), std::string::npos);
}

TEST_F(watch, leads_from_a_warm_up_to_the_lessons_exercise) {
  add_warm_up("91_constant");
  write("progress.txt", "90 counter started 2026-01-01 0\n");  // it stands before them: n doesn't lead back
  start("91w");
  ASSERT_TRUE(shows("91w constant")) << screen_text;
  ASSERT_TRUE(shows("expected 42, got 0")) << screen_text;
  press("n");
  ASSERT_TRUE(shows("91w_constant has not passed yet")) << screen_text;
  save(answer("42"), "91w_constant.cpp");
  ASSERT_TRUE(shows("1 check passed")) << screen_text;
  screen_text.clear();
  press("n");
  ASSERT_TRUE(shows("91 constant")) << screen_text;
  ASSERT_TRUE(shows("expected 42, got 0")) << screen_text;
  press("q");
  EXPECT_EQ(exit_status(), 0);
  const std::string progress = exercises_test::text_of(my / "progress.txt");
  EXPECT_NE(progress.find("\n91w constant passed"), std::string::npos) << progress;
  EXPECT_NE(progress.find("\n91 constant started"), std::string::npos) << progress;
}

TEST_F(watch, a_newer_save_ends_an_older_check) {
  start("91");
  ASSERT_TRUE(shows("got 0")) << screen_text;
  save("#define answer ([] { volatile bool on = true; while (on) { } return 1; }())\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  save(answer("8"));
  ASSERT_TRUE(shows("expected 42, got 8")) << screen_text;
  EXPECT_EQ(screen_text.find("stopped"), std::string::npos) << screen_text;
  end_input();
  EXPECT_EQ(exit_status(), 0);
}

TEST_F(watch, ends_with_its_input_once_the_file_is_checked) {
  start("91");
  end_input();
  EXPECT_TRUE(shows("expected 42, got 0")) << screen_text;
  EXPECT_TRUE(shows("The standard input has ended")) << screen_text;
  EXPECT_EQ(exit_status(), 0);
}

TEST_F(watch, a_signal_ends_it_and_leaves_nothing_behind) {
  const auto folders = [] {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path()))
      count += entry.path().filename().string().starts_with("gridstride-");
    return count;
  };
  setenv("TMPDIR", my.c_str(), 1);
  start("91");
  unsetenv("TMPDIR");
  ASSERT_TRUE(shows("got 0")) << screen_text;
  save("#define answer ([] { volatile bool on = true; while (on) { } return 1; }())\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGTERM);
  EXPECT_EQ(exit_status(), 0);
  setenv("TMPDIR", my.c_str(), 1);
  EXPECT_EQ(folders(), 0u);
  unsetenv("TMPDIR");
}

TEST_F(watch, says_when_the_folder_is_gone) {
  start("91");
  ASSERT_TRUE(shows("got 0")) << screen_text;
  fs::remove_all(my);
  EXPECT_TRUE(shows("the folder is gone")) << screen_text;
  EXPECT_EQ(exit_status(), 2);
}
