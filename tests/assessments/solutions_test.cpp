// Solutions of the tasks, graded by the program a learner runs: right ones in different styles must pass, wrong ones
// must be rejected for the reason that their first line names:
//
//   // expect: wrong_answer                a mishap of this kind, as the JSON verdict names it
//   // expect: exception or finding        one of them
//   // expect: criterion:coalesced         this criterion fails, and correctness doesn't
//
// Grading ends at the first failure, unless the line says ", graded whole": what the instruments find of a race comes
// after answers that may have been wrong. Speed is measured only where it is what fails, and only the right solutions
// in block style get the cases that need more than 500 MB.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/another_user.h"
#include "tests/temporary_folder.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// GRADE_PROGRAM is gridstride-grade, SOLUTIONS the folder of A1_neural_layer/right and its like, ASSESSMENTS that of
/// the tasks.
std::vector<fs::path> sources(const fs::path& root, const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& task : fs::directory_iterator(root)) {
    if (!fs::is_directory(task.path() / folder)) continue;
    for (const auto& file : fs::directory_iterator(task.path() / folder)) found.push_back(file.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  return info.param.parent_path().parent_path().filename().string().substr(0, 2) + "_" + info.param.stem().string();
}

struct outcome {
  int status = -1;     ///< exit status; -1 if a signal ended the program
  json verdict;        ///< null if none was printed
  std::string errors;  ///< on standard error
};

outcome grade(const std::string& task, const fs::path& file, const std::string& options) {
  const gridstride_test::temporary_folder my;  // what is passed here is nobody's grade
  const std::string command = "GRIDSTRIDE_MY='" + my.path().string() + "' '" GRADE_PROGRAM "' " + task + " '" +
                              file.string() + "' --json " + options + " 2>'" + (my / "said").string() + "' </dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("popen: the command can't be started: " + command);
  std::string out;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), n);
  const int status = pclose(pipe);
  std::ifstream errors(my / "said");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          out.empty() ? json() : json::parse(out),
          {std::istreambuf_iterator<char>(errors), {}}};
}

outcome grade(const fs::path& file, const std::string& options) {
  return grade(file.parent_path().parent_path().filename().string().substr(0, 2), file, options);
}

// What right solutions are graded without.
bool is_timed(const json& criterion) { return criterion.at("id") == "speed" || criterion.at("id") == "bandwidth"; }

bool has_mishap(const json& verdict, const std::string& kind) {
  return std::ranges::any_of(verdict.at("mishaps"), [&](const json& m) { return m.at("kind") == kind; });
}

const json& criterion_of(const json& verdict, const std::string& id) {
  const json& criteria = verdict.at("criteria");
  const auto found = std::ranges::find_if(criteria, [&](const json& c) { return c.at("id") == id; });
  if (found == criteria.end()) throw std::runtime_error("the verdict has no criterion " + id);
  return *found;
}

struct expectation {
  std::vector<std::string> any_of;
  bool whole = false;
};

// Of "// expect: a or b, graded whole".
expectation expectation_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::string begin = "// expect: ";
  if (!line.starts_with(begin)) throw std::runtime_error(file.string() + " doesn't begin with " + begin);
  expectation expected;
  line.erase(0, begin.size());
  if (const std::size_t end = line.find(", graded whole"); end != line.npos) {
    expected.whole = true;
    line.erase(end);
  }
  for (std::size_t end; (end = line.find(" or ")) != std::string::npos; line.erase(0, end + 4))
    expected.any_of.push_back(line.substr(0, end));
  expected.any_of.push_back(line);
  return expected;
}

bool happened(const json& verdict, const std::string& expected) {
  const std::string criterion = "criterion:";
  if (!expected.starts_with(criterion)) return has_mishap(verdict, expected);
  const json& state = criterion_of(verdict, expected.substr(criterion.size())).at("state");
  return state == "failed" || state == "partly";
}

// What the command is given for a wrong solution.
std::string options_for(const expectation& e) {
  const bool is_speed = e.any_of.front() == "criterion:speed";
  return std::string("--memory 500MB") + (e.whole ? "" : " --until-first-failure") + (is_speed ? "" : " --no-speed");
}

class right_solution : public testing::TestWithParam<fs::path> {};
class wrong_solution : public testing::TestWithParam<fs::path> {};
class starter : public testing::TestWithParam<fs::path> {};

}  // namespace

TEST_P(right_solution, passes_with_every_point_that_does_not_depend_on_time) {
  const bool with_all_sizes = GetParam().stem() == "block_style";
  const outcome o = grade(GetParam(), with_all_sizes ? "--no-speed" : "--no-speed --memory 500MB");
  if (o.status == 3) GTEST_SKIP() << o.errors;
  ASSERT_FALSE(o.verdict.is_null()) << o.errors;
  EXPECT_EQ(o.status, 0) << o.verdict.dump(2);
  EXPECT_EQ(o.verdict.at("passed"), true);
  for (const json& c : o.verdict.at("criteria"))
    EXPECT_EQ(c.at("state"), is_timed(c) ? "not_run" : "passed") << c.dump(2);
  EXPECT_TRUE(o.verdict.at("mishaps").empty()) << o.verdict.at("mishaps").dump(2);
}

TEST_P(wrong_solution, is_rejected_for_its_own_reason) {
  const expectation expected = expectation_of(GetParam());
  const outcome o = grade(GetParam(), options_for(expected));
  if (o.status == 3) GTEST_SKIP() << o.errors;
  ASSERT_FALSE(o.verdict.is_null()) << o.errors;
  EXPECT_TRUE(std::ranges::any_of(expected.any_of, [&](const std::string& mishap) {
    return happened(o.verdict, mishap);
  })) << o.verdict.dump(2);
  // What fails a criterion of its own is right in all else.
  if (expected.any_of.front().starts_with("criterion:")) {
    EXPECT_EQ(criterion_of(o.verdict, "correctness").at("state"), "passed") << o.verdict.dump(2);
  } else {
    EXPECT_EQ(o.verdict.at("passed"), false);
  }
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

// What the machine lacks is no verdict: status 3, and nothing but a sentence that names it.
TEST(grade_program, names_what_the_machine_lacks) {
  const gridstride_test::temporary_folder place;
  const auto ends_with_3 = [&](const std::string& before, const std::string& after, const std::string& text) {
    const fs::path out = place / "out", errors = place / "said";
    const std::string command = before + " '" GRADE_PROGRAM "' " + after + " 2>'" + errors.string() + "' </dev/null";
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
  // Root may start as many processes as there can be; somebody else is told.
  const std::string somebody = gridstride_test::as_another_user(59871, GRADE_PROGRAM);
  if (somebody.empty()) return;
  fs::permissions(place.path(), fs::perms(0777));
  // No sandbox leads to where only root may enter.
  ends_with_3(my + " " + somebody + " prlimit --nproc=3", right + " --unsafe", "end other programs");
}

TEST_P(starter, compiles_and_fails) {
  const outcome o =
      grade(GetParam().filename().string().substr(0, 2), GetParam() / "starter.cpp", "--until-first-failure");
  if (o.status == 3) GTEST_SKIP() << o.errors;
  ASSERT_FALSE(o.verdict.is_null()) << o.errors;
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.verdict.at("passed"), false);
  EXPECT_TRUE(has_mishap(o.verdict, "wrong_answer")) << o.verdict.dump(2);
  EXPECT_FALSE(has_mishap(o.verdict, "compile_error"));
  EXPECT_NE(criterion_of(o.verdict, "correctness").at("state"), "passed");
}

TEST(solutions, there_are_enough_of_them) {
  for (const char* task : {"A1_neural_layer", "A2_histogram", "A3_transpose"}) {
    const auto count = [&](const char* folder) {
      return std::ranges::count_if(sources(SOLUTIONS, folder),
                                   [&](const fs::path& p) { return p.parent_path().parent_path().filename() == task; });
    };
    EXPECT_GE(count("right"), 3) << task;
    EXPECT_GE(count("wrong"), 8) << task;
  }
  for (const fs::path& file : sources(SOLUTIONS, "wrong")) EXPECT_NO_THROW(expectation_of(file));
}

INSTANTIATE_TEST_SUITE_P(all, right_solution, testing::ValuesIn(sources(SOLUTIONS, "right")), test_name);
INSTANTIATE_TEST_SUITE_P(all, wrong_solution, testing::ValuesIn(sources(SOLUTIONS, "wrong")), test_name);
INSTANTIATE_TEST_SUITE_P(all, starter,
                         testing::Values(fs::path(ASSESSMENTS "/A1_neural_layer"),
                                         fs::path(ASSESSMENTS "/A2_histogram"), fs::path(ASSESSMENTS "/A3_transpose")),
                         [](const auto& info) { return info.param.filename().string(); });
