// Solutions of the tasks, graded by the program a learner runs: right ones in different styles must pass, wrong ones
// must be rejected for the reason that their first line names, as courses/solution_findings.h reads it. Only the right
// solutions in block style get the cases that need more than 500 MB.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "courses/solution_findings.h"
#include "runtime/core/error.h"
#include "tests/another_user.h"
#include "tests/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

/// GRADE_PROGRAM is gridstride-grade, SOLUTIONS the folder of A1_neural_layer/right and its like, ASSESSMENTS that of
/// the tasks.
std::vector<fs::path> sources(const fs::path& root, const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& task : fs::directory_iterator(root)) {
    if (!fs::is_directory(task.path() / folder)) continue;
    for (const auto& file : fs::directory_iterator(task.path() / folder)) files.push_back(file.path());
  }
  std::ranges::sort(files);
  return files;
}

// The folders with a task.json.
std::vector<fs::path> tasks() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(ASSESSMENTS))
    if (fs::exists(entry.path() / "task.json")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  return info.param.parent_path().parent_path().filename().string().substr(0, 2) + "_" + info.param.stem().string();
}

// "A1_neural_layer" of ".../A1_neural_layer/right/kernel.cpp".
std::string task_of(const fs::path& file) { return file.parent_path().parent_path().filename().string(); }

// The test is skipped where the machine lacks what grading needs.
template <class F>
void where_it_can_be_graded(F test) {
  try {
    test();
  } catch (const gs::machine_error& lack) {
    GTEST_SKIP() << lack.what();
  }
}

class right_solution : public testing::TestWithParam<fs::path> {};
class wrong_solution : public testing::TestWithParam<fs::path> {};
class starter : public testing::TestWithParam<fs::path> {};

}  // namespace

TEST_P(right_solution, passes_with_every_point_that_does_not_depend_on_time) {
  const bool every_size = GetParam().stem() == "block_style";
  where_it_can_be_graded(
      [&] { EXPECT_EQ(to_string(courses::right_solution_findings(task_of(GetParam()), GetParam(), every_size)), ""); });
}

TEST_P(wrong_solution, is_rejected_for_its_own_reason) {
  where_it_can_be_graded(
      [&] { EXPECT_EQ(to_string(courses::wrong_solution_findings(task_of(GetParam()), GetParam())), ""); });
}

// Two dozen submissions take longer than three seconds to compile on any machine.
TEST(class_of_submissions, leaves_nothing_behind_when_it_is_interrupted) {
  const gridstride_test::temporary_folder place;
  const fs::path temporary = place / "temporary", errors = place / "said";
  fs::create_directory(temporary);
  const std::string command = "TMPDIR='" + temporary.string() + "' timeout -s INT 3 '" GRADE_PROGRAM "' A2 '" +
                              (fs::path(SOLUTIONS) / "A2_histogram/wrong").string() + "' --output '" +
                              (place / "out").string() + "' >'" + errors.string() + "' 2>&1 </dev/null";
  const int status = std::system(command.c_str());
  std::ifstream in(errors);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 3) GTEST_SKIP() << text;
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 124) << text;  // timeout's own
  const bool any_is_kept = fs::exists(place / "out" / "verdicts") && !fs::is_empty(place / "out" / "verdicts");
  EXPECT_NE(
      text.find(any_is_kept ? "Interrupted. Finished verdicts are kept in " : "Interrupted. Nothing is finished yet."),
      text.npos)
      << text;
  EXPECT_TRUE(fs::is_empty(temporary)) << *fs::directory_iterator(temporary);
}

// A lack of the machine gives no verdict: status 3, and nothing but a sentence that names it.
TEST(grade_program, names_what_the_machine_lacks) {
  const gridstride_test::temporary_folder place;
  const auto ends_with_3 = [&](const std::string& prefix, const std::string& suffix, const std::string& text) {
    const fs::path out = place / "out", errors = place / "said";
    const std::string command = prefix + " '" GRADE_PROGRAM "' " + suffix + " 2>'" + errors.string() + "' </dev/null";
    const int status = std::system(command.c_str());
    std::ifstream in(errors);
    const std::string text_of_errors{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 3) << command << "\n" << text_of_errors;
    EXPECT_NE(text_of_errors.find(text), text_of_errors.npos) << command << "\n" << text_of_errors;
  };
  const std::string file = (fs::path(SOLUTIONS) / "A1_neural_layer/right/device_arrays.cpp").string(),
                    my = "GRIDSTRIDE_MY='" + place.path().string() + "'",
                    right =
                        "A1 '" + file + "' --no-speed --until-first-failure --json >'" + (place / "out").string() + "'";
  ends_with_3(my + " prlimit --as=60000000", right,
              " this machine has 60 MB of memory for the compiler, which may need");
  EXPECT_EQ(fs::file_size(place / "out"), 0u);
  ends_with_3("", "--json >/dev/full", "write to the standard output: No space left on device");
  ends_with_3("TMPDIR=/proc", right, "make a folder /proc/gridstride-work-");
  // Root has no limit on processes; another user gets the message.
  const std::string somebody = gridstride_test::as_another_user(59871, GRADE_PROGRAM);
  if (somebody.empty()) return;
  fs::permissions(place.path(), fs::perms(0777));
  // No sandbox leads to where only root may enter.
  ends_with_3(my + " " + somebody + " prlimit --nproc=3", right + " --unsafe", "end other programs");
}

TEST_P(starter, compiles_and_fails) {
  where_it_can_be_graded([&] {
    EXPECT_EQ(to_string(courses::starter_findings(GetParam().filename().string(), GetParam() / "starter.cpp")), "");
  });
}

// Solutions that aren't what they are called.
TEST(solution_findings, name_what_is_wrong) {
  const std::string a1 = "A1_neural_layer";
  const fs::path task = fs::path(SOLUTIONS) / a1, right = task / "right/kernel.cpp",
                 wrong = task / "wrong/not_normalized.cpp";
  const gridstride_test::temporary_folder place;
  const auto expect_in = [](const std::string& text, const std::vector<courses::finding>& findings) {
    EXPECT_NE(to_string(findings).find("assessments/A1_neural_layer: its " + text), std::string::npos)
        << to_string(findings);
  };
  const auto expecting = [&](const std::string& reason, const fs::path& file) {
    std::ofstream(place / "file.cpp") << "// expect: " << reason << "\n" << std::ifstream(file).rdbuf();
    return courses::wrong_solution_findings(a1, place / "file.cpp");
  };
  where_it_can_be_graded([&] {
    expect_in("kernel.cpp passes before anybody has done anything: ", courses::starter_findings(a1, right));
    expect_in("right solution not_normalized.cpp doesn't pass: wrong_answer",
              courses::right_solution_findings(a1, wrong));
    expect_in("wrong solution file.cpp passes: ", expecting("wrong_answer", right));
    expect_in("wrong solution file.cpp isn't rejected for 'exception', but: wrong_answer",
              expecting("exception", wrong));
    expect_in("wrong solution file.cpp gives wrong answers, but should fail one criterion only: ",
              expecting("criterion:copies", wrong));
    expect_in("wrong solution file.cpp isn't rejected for 'criterion:copies', but: ",
              expecting("criterion:copies", right));
    std::ofstream(place / "file.cpp") << "int f() { return undeclared; }\n";
    expect_in("file.cpp doesn't compile and give wrong answers: compile_error",
              courses::starter_findings(a1, place / "file.cpp"));
    expect_in("none.cpp isn't graded", courses::starter_findings(a1, place / "none.cpp"));
  });
}

TEST(solutions, there_are_enough_of_them) {
  for (const fs::path& folder_of_task : tasks()) {
    const std::string task = folder_of_task.filename().string();
    const auto count = [&](const char* folder) {
      return std::ranges::count_if(sources(SOLUTIONS, folder),
                                   [&](const fs::path& p) { return p.parent_path().parent_path().filename() == task; });
    };
    EXPECT_GE(count("right"), 3) << task;
    EXPECT_GE(count("wrong"), 8) << task;
  }
}

INSTANTIATE_TEST_SUITE_P(all, right_solution, testing::ValuesIn(sources(SOLUTIONS, "right")), test_name);
INSTANTIATE_TEST_SUITE_P(all, wrong_solution, testing::ValuesIn(sources(SOLUTIONS, "wrong")), test_name);
INSTANTIATE_TEST_SUITE_P(all, starter, testing::ValuesIn(tasks()),
                         [](const auto& info) { return info.param.filename().string(); });
