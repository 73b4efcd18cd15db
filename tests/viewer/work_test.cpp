// The work behind the window: child processes, a lesson's run, a build, a file that is watched.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <fstream>
#include <thread>

#include "runtime/core/error.h"
#include "viewer/child.h"
#include "viewer/course/build_job.h"
#include "viewer/course/file_watch.h"
#include "viewer/course/lesson_run.h"
#include "viewer/course/parameter_panel.h"

namespace {

using stage = viewer::run_stage;
using namespace std::chrono_literals;

// Waits until something holds, for at most a minute.
template <class F>
bool eventually(F&& holds) {
  for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;) {
    if (holds()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return holds();
}

struct outcome {
  std::string text, stream;
  int status = -1;
};
outcome run(const std::vector<std::string>& command, const std::vector<std::string>& variables = {}) {
  outcome o;
  std::atomic<bool> is_done = false;
  viewer::child c(command,
                  {.text = [&](std::string_view s) { o.text += s; },
                   .stream = [&](std::string_view s) { o.stream += s; },
                   .ended =
                       [&](int status) {
                         o.status = status;
                         is_done = true;
                       }},
                  variables);
  EXPECT_TRUE(eventually([&] { return is_done.load(); }));
  return o;
}

TEST(child, is_read_to_its_end) {
  const outcome o = run({"sh", "-c", "echo out; echo err >&2; echo data >&3; exit 7"});
  EXPECT_EQ(o.text, "out\nerr\n");
  EXPECT_EQ(o.stream, "data\n");
  EXPECT_EQ(o.status, 7);
  EXPECT_EQ(run({"sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"}).text.size(), 3'000'000u);
  EXPECT_EQ(run({"sh", "-c", "printf %s \"$GRIDSTRIDE_CHILD\""}, {"GRIDSTRIDE_CHILD=yes"}).text, "yes");
  EXPECT_EQ(run({"cat"}).status, 0) << "nothing stands on its standard input";
}

TEST(child, tells_of_a_signal) { EXPECT_EQ(run({"sh", "-c", "kill -SEGV $$"}).status, 128 + SIGSEGV); }

TEST(child, that_closes_its_output_is_waited_for) {
  EXPECT_EQ(run({"sh", "-c", "exec >&- 2>&- 3>&-; sleep 0.2; exit 5"}).status, 5);
}

TEST(child, that_leaves_something_running_has_ended) {
  const outcome o = run({"sh", "-c", "(sleep 30) & echo here; exit 0"});
  EXPECT_EQ(o.text, "here\n");
  EXPECT_EQ(o.status, 0);
}

TEST(child, can_be_cancelled_with_all_it_started) {
  std::atomic<int> status = -1;
  std::mutex m;
  std::string text;
  viewer::child c({"sh", "-c", "sleep 100 & echo $!; wait"}, {.text =
                                                                  [&](std::string_view s) {
                                                                    const std::lock_guard lock(m);
                                                                    text += s;
                                                                  },
                                                              .ended = [&](int s) { status = s; }});
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(m);
    return text.ends_with('\n');
  }));
  c.cancel();
  ASSERT_TRUE(eventually([&] { return status >= 0; }));
  EXPECT_EQ(status, 128 + SIGKILL);
  const pid_t inner = std::stoi(text);
  // Until its adoptive parent reaps it, it is a zombie.
  EXPECT_TRUE(eventually([&] {
    std::ifstream in("/proc/" + std::to_string(inner) + "/stat");
    std::string state;
    in >> state >> state >> state;
    return !in || state == "Z";
  }));
  c.cancel();  // and once more does no harm
}

TEST(child, that_is_not_there_is_said) { EXPECT_THROW(viewer::child({"/no/such/program"}, {}), gs::machine_error); }

TEST(lesson_run, brings_the_report_while_it_grows) {
  std::atomic<int> changes = 0;
  viewer::lesson_run r(viewer::lesson_run::of_program(TOY_LESSON, {"--size", "5"}), [&] { ++changes; });
  ASSERT_TRUE(eventually([&] { return r.state().stage != stage::running; }));
  const viewer::run_state s = r.state();
  EXPECT_EQ(s.stage, stage::finished) << s.message;
  ASSERT_TRUE(s.about);
  EXPECT_EQ(s.about->name, "toy");
  EXPECT_FALSE(s.items.empty());
  EXPECT_TRUE(eventually([&] { return changes > 1; })) << "the last one is told after the state has changed";
  EXPECT_EQ(s.message, "");
  EXPECT_EQ(r.options(), (std::vector<std::string>{"--size", "5"}));
}

TEST(lesson_run, says_what_a_program_refused) {
  viewer::lesson_run r(viewer::lesson_run::of_program(TOY_LESSON, {"--size", "minus"}), [] {});
  ASSERT_TRUE(eventually([&] { return r.state().stage != stage::running; }));
  EXPECT_EQ(r.state().stage, stage::failed);
  EXPECT_NE(r.state().message.find("status 2"), std::string::npos) << r.state().message;
  EXPECT_NE(r.state().output.find("--size"), std::string::npos) << "the program's own words";
}

// Programs that are no lessons: one that runs for ever, one that crashes, one that sends something else.
class odd_program {
 public:
  explicit odd_program(const std::string& body) {
    static int number = 0;
    file_ = std::filesystem::temp_directory_path() /
            ("gridstride-odd-" + std::to_string(getpid()) + "-" + std::to_string(number++));
    std::ofstream(file_) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(file_, std::filesystem::perms::owner_all);
  }
  ~odd_program() { std::filesystem::remove(file_); }
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
};

TEST(lesson_run, that_goes_on_for_ever_can_be_cancelled) {
  const odd_program endless("while :; do :; done");
  viewer::lesson_run r(viewer::lesson_run::of_program(endless.file(), {}), [] {});
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(r.state().stage, stage::running);
  EXPECT_GT(r.state().seconds, 0.01);
  r.cancel();
  ASSERT_TRUE(eventually([&] { return r.state().stage != stage::running; }));
  EXPECT_EQ(r.state().stage, stage::cancelled);
}

TEST(lesson_run, that_crashes_is_said) {
  const odd_program crash("kill -SEGV $$");
  viewer::lesson_run r(viewer::lesson_run::of_program(crash.file(), {}), [] {});
  ASSERT_TRUE(eventually([&] { return r.state().stage != stage::running; }));
  EXPECT_EQ(r.state().stage, stage::failed);
  EXPECT_NE(r.state().message.find("Segmentation fault"), std::string::npos) << r.state().message;
}

TEST(lesson_run, that_sends_something_else_is_said) {
  const odd_program noise("head -c 10000 /dev/urandom | tr '\\000-\\200' 'zzz' >&3; exit 0");
  viewer::lesson_run r(viewer::lesson_run::of_program(noise.file(), {}), [] {});
  ASSERT_TRUE(eventually([&] { return r.state().stage != stage::running; }));
  EXPECT_EQ(r.state().stage, stage::failed);
  EXPECT_FALSE(r.state().message.empty());
  const odd_program silent("exit 0");
  viewer::lesson_run silent_run(viewer::lesson_run::of_program(silent.file(), {}), [] {});
  ASSERT_TRUE(eventually([&] { return silent_run.state().stage != stage::running; }));
  EXPECT_NE(silent_run.state().message.find("before its report"), std::string::npos);
}

TEST(lesson_run, ends_with_its_owner) {
  const odd_program endless("echo $$ >\"$0.pid\"; while :; do :; done");
  const std::filesystem::path pid_file = endless.file().string() + ".pid";
  pid_t child = 0;
  {
    viewer::lesson_run r(viewer::lesson_run::of_program(endless.file(), {}), [] {});
    ASSERT_TRUE(eventually([&] { return static_cast<bool>(std::ifstream(pid_file) >> child); }));
    EXPECT_EQ(kill(child, 0), 0);
  }
  std::filesystem::remove(pid_file);
  EXPECT_NE(kill(child, 0), 0) << "the program goes on without its owner";
}

TEST(build_job, reads_what_the_compiler_says) {
  const auto messages = viewer::compiler_messages(
      "[1/2] Building\nFAILED: x\n/a/b/lesson.cpp: In function 'f':\n/a/b/lesson.cpp:12:5: error: expected ';' before "
      "'}'\n"
      "   12 |   x\n/a/b/lesson.cpp:3: warning: unused: y\nlesson.cpp:4:9: note: here\nx.h:1:10: fatal error: z.h: No "
      "such "
      "file\nninja: build stopped");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].file, "/a/b/lesson.cpp");
  EXPECT_EQ(messages[0].line, 12);
  EXPECT_EQ(messages[0].column, 5);
  EXPECT_TRUE(messages[0].error);
  EXPECT_EQ(messages[0].text, "expected ';' before '}'");
  EXPECT_EQ(messages[1].line, 3);
  EXPECT_FALSE(messages[1].error);
  EXPECT_EQ(messages[1].text, "unused: y");
  EXPECT_EQ(messages[2].text, "z.h: No such file");
  EXPECT_TRUE(viewer::compiler_messages("").empty());
  EXPECT_TRUE(viewer::compiler_messages(":::\na:\n:1:2: error: x\na:b:c: error: d").empty());
}

TEST(build_job, reads_what_nvcc_says) {
  const auto messages = viewer::compiler_messages(
      "/a (b)/lesson.cpp(7): error: identifier \"y\" is undefined\n  out[i] = y;\n           ^\n\n"
      "/a (b)/lesson.cpp(9): warning #177-D: variable \"z\" was declared but never referenced\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "/a/lesson.cpp(3): catastrophic error: out of memory\n/a/lesson.cpp(3): note #1-D: here\n"
      "(4): error: no file\nx(y): error: no line\nx(4): error\n1 error detected in the compilation of \"x.cpp\".");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].file, "/a (b)/lesson.cpp");
  EXPECT_EQ(messages[0].line, 7);
  EXPECT_EQ(messages[0].column, 0);
  EXPECT_TRUE(messages[0].error);
  EXPECT_EQ(messages[0].text, "identifier \"y\" is undefined");
  EXPECT_EQ(messages[1].line, 9);
  EXPECT_FALSE(messages[1].error);
  EXPECT_EQ(messages[1].text, "variable \"z\" was declared but never referenced");
  EXPECT_TRUE(messages[2].error);
  EXPECT_EQ(messages[2].text, "out of memory");
}

TEST(build_job, says_why_it_failed) {
  std::atomic<bool> is_done = false;
  viewer::build_job job({"cmake", "--build", "/no/such/folder", "--target", "x"}, [&] { is_done = true; });
  ASSERT_TRUE(eventually([&] { return is_done.load(); }));
  EXPECT_FALSE(job.state().running);
  EXPECT_FALSE(job.state().succeeded);
  EXPECT_FALSE(job.state().output.empty());
}

TEST(file_watch, sees_a_save_in_place_and_by_another_name) {
  const odd_program file("one");
  std::atomic<int> calls = 0;
  viewer::file_watch watch(file.file(), [&] { ++calls; });
  std::this_thread::sleep_for(150ms);
  EXPECT_FALSE(watch.take());
  const auto save = [&](const std::string& text, const std::filesystem::path& at) {
    std::ofstream(at) << text;
    std::filesystem::last_write_time(at, std::filesystem::file_time_type::clock::now() + 1s * ++calls);
  };
  save("two", file.file());
  EXPECT_TRUE(eventually([&] { return watch.take().has_value(); }));
  EXPECT_FALSE(watch.take()) << "told once";
  const std::filesystem::path new_file = file.file().string() + ".new";
  save("three", new_file);
  std::filesystem::rename(new_file, file.file());
  EXPECT_TRUE(eventually([&] { return watch.take().has_value(); }));
}

TEST(file_watch, sees_which_of_several_files_was_saved_and_lists_them_anew) {
  const odd_program first("one"), second("two"), third("three");
  std::atomic<bool> all = false;
  viewer::file_watch watch(
      [&] {
        std::vector<std::filesystem::path> files{first.file(), second.file()};
        if (all) files.push_back(third.file());
        return files;
      },
      [] {});
  const auto begin = std::filesystem::file_time_type::clock::now();
  auto is_seen = [&, saves = 0](const odd_program& saved) mutable {
    std::filesystem::last_write_time(saved.file(), begin + 1s * ++saves);
    std::optional<std::filesystem::path> seen;
    EXPECT_TRUE(eventually([&] { return (seen = watch.take()).has_value(); }));
    return seen == saved.file();
  };
  EXPECT_TRUE(is_seen(second));
  all = true;
  EXPECT_TRUE(is_seen(first));
  EXPECT_TRUE(is_seen(third)) << "it was listed after that";
}

// Also where the thread that looks gets its first turn later than the writer.
TEST(file_watch, sees_what_changes_right_after_it_was_made) {
  const odd_program file("one");
  const auto later_time = std::filesystem::file_time_type::clock::now() + 10s;
  for (int n = 0; n < 5; ++n) {
    viewer::file_watch watch(file.file(), [] {});
    std::filesystem::last_write_time(file.file(), later_time + 1s * n);
    EXPECT_TRUE(eventually([&] { return watch.take().has_value(); }));
  }
}

TEST(parameter_panel, gives_what_was_chosen_to_the_program_and_as_cpp) {
  viewer::parameter_panel p(
      {workbook::integer{.name = "size", .text = "elements", .min = 1, .max = 9'000'000, .default_value = 10},
       workbook::real{.name = "sigma", .text = "width", .min = 0, .max = 2, .default_value = 0.5},
       workbook::choice{.name = "mode", .text = "how", .choices = {"fast", "exact"}}});
  EXPECT_TRUE(p.options().empty()) << "all at their defaults";
  p.take({"--size", "1234567", "--mode", "exact", "--seed", "7", "--gone", "1", "--sigma", "99"});
  EXPECT_EQ(p.options(), (std::vector<std::string>{"--size", "1234567", "--mode", "exact", "--seed", "7"}))
      << "what the lesson doesn't have, or not in that range, is left";
  EXPECT_EQ(p.as_cpp(),
            "constexpr std::size_t size = 1'234'567;  // elements\n"
            "constexpr double sigma = 0.5;  // width\n"
            "constexpr const char* mode = \"exact\";  // how\n"
            "constexpr std::uint64_t seed = 7;\n");
  p.reset();
  EXPECT_TRUE(p.options().empty());
}

}  // namespace
