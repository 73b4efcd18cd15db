// ./gridstride grade from its command line: what is refused before anything is graded. Grading itself is tested
// by solutions_test.

#include "assessments/grader/grade_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/temporary_folder.h"
#include "workshop/sandbox.h"

namespace grade_command_test {

struct outcome {
  int status;
  std::string out, err;
};

outcome run(const std::vector<std::string>& options) {
  std::vector<const char*> argv{"gridstride-grade"};
  for (const std::string& o : options) argv.push_back(o.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = grader::run_grade_command(static_cast<int>(argv.size()), argv.data());
  std::fflush(nullptr);
  std::string out = testing::internal::GetCapturedStdout();
  return {status, out, testing::internal::GetCapturedStderr()};
}

TEST(grade_command, lists_its_options) {
  const outcome help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* option :
       {"--until-first-failure", "--no-speed", "--memory BYTES", "--seed S", "--target T", "--grade-bandwidth"})
    EXPECT_NE(help.out.find(option), std::string::npos) << option << " isn't in:\n" << help.out;
}

TEST(grade_command, grades_a_class_by_all_criteria) {
  const gridstride_test::temporary_folder folder;
  for (const char* option : {"--until-first-failure", "--no-speed", "--memory=1GB"}) {
    const outcome o = run({"A1", folder.path().string(), option});
    EXPECT_EQ(o.status, 2);
    const std::string name = std::string(option).substr(0, std::string(option).find('='));
    EXPECT_EQ(o.err, "gridstride-grade: grade A1 " + folder.path().string() + " with " + name +
                         ": it is a folder, and a class is graded on all criteria and cases; leave the option out, or "
                         "give one submission\n");
  }
}

TEST(grade_command, grades_bandwidth_on_a_gpu_alone) {
  outcome o = run({"A3", __FILE__, "--grade-bandwidth"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "gridstride-grade: --grade-bandwidth: only a GPU's bandwidth can be graded; add --target cuda\n");
  o = run({"A1", __FILE__, "--target", "cuda", "--grade-bandwidth"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            "gridstride-grade: grade A1 with --grade-bandwidth: the task has no bandwidth to grade; leave it out\n");
  EXPECT_EQ(run({"A3", __FILE__, "--target", "tpu"}).status, 2);
}

TEST(grade_command, says_that_there_is_no_gpu) {
  if (!workshop::gpu_devices().empty()) GTEST_SKIP() << "there is one";
  for (const char* path : {__FILE__, "/tmp"}) {
    const outcome o = run({"A3", path, "--target", "cuda"});
    EXPECT_EQ(o.status, 3) << path;
    EXPECT_NE(o.err.find("grade on a GPU: this machine has no NVIDIA GPU"), std::string::npos) << o.err;
  }
}

TEST(grade_command, limits_alone_need_unsafe) {
  outcome o = run({"A1", __FILE__, "--isolation", "limits"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            "gridstride-grade: --isolation limits: limits alone isolate nothing; add --unsafe if you trust the "
            "submission\n");
  o = run({"A1", __FILE__, "--isolation", "walls"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("walls"), std::string::npos) << o.err;
}

TEST(grade_command, refuses_what_it_can_not_grade) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"A9", "x.cpp"}, "grade A9: there is no such task; choose one of A1, A2, A3, A4, A5\n"},
      {{"A1"}, "grade A1: no file is given; write ./gridstride grade A1 my/neural_layer.cpp\n"},
      {{"A1", "/no/such.cpp"}, "grading /no/such.cpp: there is no such file; check its name\n"},
      {{"A1", "/dev/null"}, "grading /dev/null: it is not a regular file; give a file of C++, or a folder of them\n"}};
  for (const auto& [options, message] : cases) {
    const outcome o = run(options);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, "gridstride-grade: " + message);
    EXPECT_EQ(o.out, "");
  }
}

TEST(grade_command, lists_the_tasks_as_json) {
  const outcome o = run({"--json"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  const auto document = nlohmann::json::parse(o.out);
  EXPECT_EQ(document.at("schema"), "gridstride-tasks");
  EXPECT_EQ(document.at("version"), 1);
  ASSERT_EQ(document.at("tasks").size(), 5u);
  const auto& first = document.at("tasks").at(0);
  EXPECT_EQ(first.at("id"), "A1");
  EXPECT_EQ(first.at("starter"), "assessments/A1_neural_layer/starter.cpp");
  double points = 0;
  for (const auto& c : first.at("criteria")) points += c.at("points").get<double>();
  EXPECT_EQ(first.at("points"), points);
  EXPECT_NE(run({}).out.find("A1 neural_layer"), std::string::npos) << "people get a text";
}

TEST(grade_command, shows_no_name_that_steers_the_terminal) {
  const std::string name =
      "/no/\x1b[2J\xc2\x9b"
      "31m.cpp";
  EXPECT_EQ(run({"A1", name}).err,
            "gridstride-grade: grading /no/?[2J?31m.cpp: there is no such file; check its name\n");
  const outcome repeated = run({"A1", name, name});
  EXPECT_EQ(repeated.status, 2);
  EXPECT_EQ(repeated.err.find('\x1b'), std::string::npos) << repeated.err;
}

TEST(grade_command, refuses_what_is_no_memory) {
  const outcome o = run({"A1", "x.cpp", "--memory", "much"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("--memory"), std::string::npos) << o.err;
}

}  // namespace grade_command_test
