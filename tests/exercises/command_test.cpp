// The command line of gridstride-exercise, by running it.

#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "tests/exercises/small_course.h"

namespace {

using exercises_test::text_of;

struct ending {
  int status;
  std::string out, error;
};

class exercise_command : public exercises_test::small_course {
 protected:
  void SetUp() override {
    small_course::SetUp();
    setenv("LC_ALL", "C.UTF-8", 1);
  }
  ending run(const std::string& words) const {
    const std::string out = files / "out", error = files / "error";
    const int status =
        std::system(("'" EXERCISE_PROGRAM "' " + words + " >'" + out + "' 2>'" + error + "' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(error)};
  }
  std::string progress_line(const std::string& number) const {
    const std::string text = text_of(my / "progress.txt");
    const std::size_t at = text.find("\n" + number + " ");
    return at == text.npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  }

  gridstride_test::temporary_folder written_;
  std::filesystem::path files = written_.path();
};

void expect_in(const std::string& part, const std::string& whole) {
  EXPECT_NE(whole.find(part), std::string::npos) << part << "\nin:\n" << whole;
}

}  // namespace

TEST_F(exercise_command, from_the_first_question_to_the_solution) {
  ending e = run("next");
  EXPECT_EQ(e.status, 0) << e.error;
  expect_in("0 of 2 exercises passed.", e.out);
  expect_in("Next comes 90 counter", e.out);
  expect_in("./gridstride watch 90", e.out);
  EXPECT_FALSE(std::filesystem::exists(my / "90_counter.cpp"));  // asking creates no files

  e = run("check 91");
  EXPECT_EQ(e.status, 1);
  expect_in("✗ the answer: expected 42, got 0", e.out);
  EXPECT_EQ(text_of(my / "91_constant.cpp"), starter(91));
  expect_in("91 constant started 2", progress_line("91"));
  expect_in("You are at 91 constant", run("next").out);

  e = run("solution 91");
  EXPECT_EQ(e.status, 2);
  expect_in("your own has not passed yet; ./gridstride hint 91 helps", e.error);
  EXPECT_EQ(run("solution 91 --give-up").status, 0);

  write("91_constant.cpp", "inline constexpr int answer = 42;  // mine\n");
  e = run("check");  // the exercise that was begun
  EXPECT_EQ(e.status, 0) << e.out;
  expect_in("✓ 1 check passed, with random data of seed 1.\n", e.out);
  expect_in("91 constant passed 2", progress_line("91"));
  expect_in("inline constexpr int answer = 42;\n// Until here.", run("solution 91").out);

  e = run("reset 91");
  EXPECT_EQ(e.status, 0);
  expect_in("91_constant.cpp.1", e.out);
  EXPECT_EQ(text_of(my / "91_constant.cpp.1"), "inline constexpr int answer = 42;  // mine\n");
  EXPECT_EQ(text_of(my / "91_constant.cpp"), starter(91));
  expect_in("91 constant started 2", progress_line("91"));
}

TEST_F(exercise_command, the_learners_file_counts_by_its_path_too) {
  write("91_constant.cpp", solution(91));
  write("another.cpp", solution(91));
  EXPECT_EQ(run("check 91 '" + (my / "another.cpp").string() + "'").status, 0);
  EXPECT_EQ(progress_line("91"), "");
  EXPECT_EQ(run("check 91 '" + (my / "." / "91_constant.cpp").string() + "' --json").status, 0);
  expect_in("91 constant passed 2", progress_line("91"));
}

TEST_F(exercise_command, a_warm_up_is_an_exercise_of_its_own) {
  add_warm_up("90_counter");
  ending e = run("next");
  expect_in("0 of 3 exercises passed.", e.out);
  expect_in("Next comes 90w counter  counter: a warm-up of five minutes\n", e.out);
  expect_in("/lessons/90_counter/README.md\n", e.out);
  expect_in("/90w_counter.cpp, with ./gridstride watch 90w beside it", e.out);
  expect_in("./gridstride hint 90w, and ./gridstride skip 90w", e.out);

  e = run("check 90w");
  EXPECT_EQ(e.status, 1);
  expect_in("90w counter  ", e.out);
  expect_in("✗ the answer: expected 42, got 0", e.out);
  expect_in("./gridstride hint 90w helps.", e.out);
  EXPECT_EQ(text_of(my / "90w_counter.cpp"), starter(91));
  EXPECT_FALSE(std::filesystem::exists(my / "90_counter.cpp"));
  expect_in("90w counter started 2", progress_line("90w"));
  EXPECT_EQ(progress_line("90"), "");
  expect_in("Hint 1 of 1", run("hint 90w").out);
  expect_in("./gridstride solution 90w --give-up", run("hint 90w").out);
  expect_in("the solution of 90w_counter: your own has not passed yet; ./gridstride hint 90w helps",
            run("solution 90w").error);

  write("90w_counter.cpp", solution(91));
  e = run("check");  // the exercise that was begun
  EXPECT_EQ(e.status, 0) << e.out;
  expect_in("./gridstride solution 90w", e.out);
  expect_in("90w counter passed 2", progress_line("90w"));
  expect_in("answer = 42", run("solution 90w").out);
  e = run("next");
  expect_in("1 of 3 exercises passed.", e.out);
  expect_in("Next comes 90 counter  counter\n", e.out);
  expect_in("✓ 90w counter   passed", run("progress").out);
  expect_in("\n  90  counter\n", run("progress").out);
  auto d = nlohmann::json::parse(run("progress --json").out)["exercises"];
  EXPECT_EQ(d[0]["lesson"], 90);
  EXPECT_EQ(d[0]["warm_up"], true);
  EXPECT_EQ(d[0]["state"], "passed");
  EXPECT_EQ(d[1]["lesson"], 90);
  EXPECT_EQ(d[1]["warm_up"], false);
  EXPECT_EQ(nlohmann::json::parse(run("check 90w --json").out)["warm_up"], true);
  EXPECT_EQ(nlohmann::json::parse(run("check 91 --json").out)["warm_up"], false);

  expect_in("90w_counter.cpp.1", run("reset 90w").out);
  expect_in("90w_counter is skipped; ./gridstride check 90w goes back to it.", run("skip 90w").out);
  e = run("check 91w");
  EXPECT_EQ(e.status, 2);
  expect_in("exercise '91w': lesson 91_constant has no warm-up; choose one of 90w, 90, 91", e.error);
}

TEST_F(exercise_command, hints_come_one_by_one) {
  expect_in("Hint 1 of 2: Who counts\n\nEvery thread counts", run("hint 90").out);
  expect_in("Hint 2 of 2: How", run("hint 90").out);
  expect_in("started", progress_line("90"));
  EXPECT_TRUE(progress_line("90").ends_with(" 2")) << progress_line("90");
  const ending last = run("hint 90");
  EXPECT_EQ(last.status, 0);
  expect_in("Hint 2 of 2: How", last.out);
  expect_in("./gridstride solution 90 --give-up", last.out);
}

TEST_F(exercise_command, hints_are_counted_until_it_has_passed) {
  run("hint 90");
  write("90_counter.cpp", solution(90));
  EXPECT_EQ(run("check 90").status, 0);
  for (int k = 0; k < 2; ++k) {
    const ending hints = run("hint 90");
    expect_in("Hint 1 of 2: Who counts\n", hints.out);
    expect_in("\n\nHint 2 of 2: How\n", hints.out);
    EXPECT_EQ(hints.out.find("There is no other"), std::string::npos);
  }
  EXPECT_TRUE(progress_line("90").ends_with(" 1")) << progress_line("90");
}

TEST_F(exercise_command, random_data_is_the_same_until_it_has_passed) {
  const auto seed = [&](const std::string& words) { return nlohmann::json::parse(run(words).out)["seed"]; };
  EXPECT_EQ(seed("check 91 --json"), 1);
  EXPECT_EQ(seed("check 91 --json --seed 7"), 7);
  EXPECT_EQ(seed("check 90 --json"), nullptr);  // it has none
  expect_in(" The random data has seed 1.\n", run("check 91").out);
  write("91_constant.cpp", "inline constexpr int answer = 42;\n");
  expect_in("✓ 1 check passed, with random data of seed 1.", run("check 91").out);
  const auto first = seed("check 91 --json"), second = seed("check 91 --json"), third = seed("check 91 --json");
  EXPECT_FALSE(first == second && second == third) << first;
  const ending wrong = run("check 91 --seed x");
  EXPECT_EQ(wrong.status, 2);
  expect_in("seed", wrong.error);
}

TEST_F(exercise_command, skipped_exercises_come_back) {
  EXPECT_EQ(run("skip 90").status, 0);
  expect_in("90 counter skipped", progress_line("90"));
  expect_in("Next comes 91", run("next").out);
  EXPECT_EQ(run("skip").status, 0);  // the next one
  ending e = run("next");
  expect_in("0 of 2 exercises passed, 2 skipped.", e.out);
  expect_in("./gridstride grade", e.out);
  e = run("check");
  EXPECT_EQ(e.status, 2);
  expect_in("all are done; name one by its number", e.error);
  e = run("progress");
  expect_in("→ 90 counter", e.out);
  const auto d = nlohmann::json::parse(run("progress --json").out);
  EXPECT_EQ(d["schema"], "gridstride-progress");
  EXPECT_EQ(d["exercises"][1]["state"], "skipped");
}

TEST_F(exercise_command, another_file_is_checked_and_changes_nothing) {
  const std::string file = (std::filesystem::path(SMALL_COURSE) / "lessons/91_constant/solution.cpp").string();
  const ending e = run("check 91 '" + file + "' --json");
  EXPECT_EQ(e.status, 0) << e.error;
  const auto d = nlohmann::json::parse(e.out);
  EXPECT_EQ(d["passed"], true);
  EXPECT_EQ(d["outcome"], "passed");
  EXPECT_FALSE(std::filesystem::exists(my / "progress.txt"));
  EXPECT_FALSE(std::filesystem::exists(my / "91_constant.cpp"));
}

TEST_F(exercise_command, refuses_what_it_cannot_do) {
  for (const auto& [words, message] : {std::pair{"", "A subcommand is required"},
                                       {"fly", "A subcommand is required"},
                                       {"check 77", "there is none of that number or name"},
                                       {"check 91 /absent.cpp", "/absent.cpp"},
                                       {"check 91 --isolation none", "--isolation"},
                                       {"check 91 --target gpu", "--target"},
                                       {"reset", "EXERCISE is required"}}) {
    const ending e = run(words);
    EXPECT_EQ(e.status, 2) << words << e.out;
    expect_in(message, e.error);
  }
  setenv("GRIDSTRIDE_MY", (std::string(SMALL_COURSE) + "/lessons/90_counter/hints.md").c_str(), 1);
  const ending e = run("check 91");
  EXPECT_EQ(e.status, 2);
  expect_in("set GRIDSTRIDE_MY to a folder that can be written", e.error);
}

TEST_F(exercise_command, says_that_there_is_no_gpu_before_it_compiles) {
  if (!workshop::gpu_devices().empty()) GTEST_SKIP() << "there is a GPU";
  const ending e = run("check 91 --target cuda");
  EXPECT_EQ(e.status, 3);
  expect_in("this machine has no NVIDIA GPU: no /dev/nvidia0; leave it out", e.error);
  EXPECT_FALSE(std::filesystem::exists(my / "91_constant.cpp"));
}
