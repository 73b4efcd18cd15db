// ./gridstride certificate from its command line: files, texts and exit statuses.

#include "assessments/grader/certificate_command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/record.h"
#include "tests/assessments/verdict/passed_verdicts.h"
#include "tests/temporary_folder.h"
#include "workbook/catalogue.h"
#include "workshop/file_text.h"

namespace certificate_command_test {

namespace fs = std::filesystem;

struct outcome {
  int status;
  std::string out, err;
};

// A learner's folders, with the course's own tasks passed.
class certificate_command : public testing::Test {
 protected:
  certificate_command() {
    setenv("GRIDSTRIDE_MY", (folder_ / "my").c_str(), 1);
    setenv("GRIDSTRIDE_CONFIG", (folder_ / "config").c_str(), 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    for (const grader::task& t : grader::all_tasks()) {
      grader::verdict v = assessments_test::passed_verdict(t.id, t.name, t.title, 90);
      v.task_version = t.version;
      grader::keep(v);
    }
  }
  ~certificate_command() override {
    unsetenv("GRIDSTRIDE_MY");
    unsetenv("GRIDSTRIDE_CONFIG");
  }

  static outcome run(std::vector<std::string> options) {
    std::vector<const char*> argv{"gridstride-certificate"};
    for (const std::string& o : options) argv.push_back(o.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = grader::run_certificate_command(static_cast<int>(argv.size()), argv.data());
    std::fflush(nullptr);
    std::string out = testing::internal::GetCapturedStdout();
    return {status, out, testing::internal::GetCapturedStderr()};
  }
  static std::string text(const fs::path& file) { return workshop::read_text(file, "reading it", 32 << 20); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  gridstride_test::temporary_folder folder_;
};

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != text.npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

TEST_F(certificate_command, writes_a_page_and_a_document_that_is_valid) {
  const outcome outcome_of_command = run({"--name", "Ada Lovelace"});
  EXPECT_EQ(outcome_of_command.status, 0) << outcome_of_command.err;
  EXPECT_TRUE(has(outcome_of_command.out, "A certificate for Ada Lovelace"));
  EXPECT_TRUE(has(outcome_of_command.out, "local key "));
  EXPECT_TRUE(has(outcome_of_command.out, "not that it was earned"));
  for (const char* file : {"my/certificate/certificate.svg", "my/certificate/certificate.pdf"})
    EXPECT_GT(fs::file_size(folder_ / file), 10'000u);

  const std::string document = path("my/certificate/certificate.json");
  const outcome verified = run({"--verify", document});
  EXPECT_EQ(verified.status, 0);
  EXPECT_TRUE(has(verified.out, "certificate.json: valid\n"));
  EXPECT_TRUE(has(verified.out, "Ada Lovelace, 20"));
  EXPECT_TRUE(has(verified.out,
                  "\n  Part 2, Kernels\n    A2 histogram: 90 of 100 points, bubblewrap\n  Part 3, Memory and two "
                  "dimensions\n    A3 transpose: 90 of 100 points, bubblewrap\n  Part 4, Patterns\n    A4 nbody: 90 of "
                  "100 points, bubblewrap\n    A5 stream_compaction: 90 of 100 points, bubblewrap\n  local key "));
  EXPECT_TRUE(has(verified.out, "To check whether that is the right key, give --public-key KEY."));

  const std::string key = nlohmann::json::parse(text(document)).at("key").at("public");
  EXPECT_TRUE(has(run({"--verify", document, "--public-key", key}).out, "That is the expected key."));
  EXPECT_EQ(run({"--verify", document, "--public-key", std::string(64, '0')}).status, 1);
}

TEST_F(certificate_command, verifies_a_document_of_version_1) {
  const fs::path old = workbook::checkout_root() / "tests/fuzz/seeds/certificate/ada.json";
  const outcome verified = run({"--verify", old.string()});
  EXPECT_EQ(verified.status, 0);
  EXPECT_TRUE(has(verified.out,
                  "\n  A1 neural_layer: 93.75 of 100 points, bubblewrap\n  A2 histogram: 100 of 100 points, "
                  "bubblewrap\n  A3 transpose: 81.5 of 100 points, bubblewrap\n  Version 1 of the document doesn't "
                  "name the parts of the course.\n"));
}

TEST_F(certificate_command, follows_the_course_file) {
  const fs::path course = folder_ / "course";
  for (const grader::task& t : grader::all_tasks()) {
    fs::create_directories(course / "assessments" / t.folder.filename());
    fs::copy(t.folder / "task.json", course / "assessments" / t.folder.filename());
  }
  setenv("GRIDSTRIDE_COURSE", course.c_str(), 1);
  const auto outcome_with = [&](const std::string& course_file) {
    if (!course_file.empty()) workshop::write_text(course / "course.json", course_file, "writing it");
    return run({"--name", "Ada"});
  };
  const outcome none = outcome_with("");
  const outcome other = outcome_with(R"({"name": "Waves", "gridstride": "1.0",
                                         "parts": [{"number": 5, "title": "Sea", "first": 1, "last": 9}]})");
  unsetenv("GRIDSTRIDE_COURSE");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err,
                  "A1_neural_layer/task.json: part is 1, and course.json has no such part; add the course's parts "
                  "there, or leave part out"));
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.err, "A1_neural_layer/task.json: part is 1, and course.json has no such part; give 5"));
  EXPECT_FALSE(fs::exists(folder_ / "my/certificate"));
}

TEST_F(certificate_command, finds_a_changed_document) {
  run({"--name", "Ada"});
  std::string document = text(folder_ / "my/certificate/certificate.json");
  document.replace(document.find("Ada"), 3, "Eve");
  workshop::write_text(folder_ / "eve.json", document, "writing it");
  const outcome verified = run({"--verify", path("eve.json")});
  EXPECT_EQ(verified.status, 1);
  EXPECT_TRUE(has(verified.out, "eve.json: not valid: it was changed after it was signed"));
  EXPECT_FALSE(has(verified.out, "points")) << "what isn't signed isn't shown";
}

TEST_F(certificate_command, what_is_no_certificate_is_not_valid_and_what_is_no_file_is_wrong_usage) {
  workshop::write_text(folder_ / "a.json", "PASS", "writing it");
  const outcome verified = run({"--verify", path("a.json")});
  EXPECT_EQ(verified.status, 1);
  EXPECT_TRUE(has(verified.out, "a.json: not valid: it is not JSON (byte 1)"));
  const outcome missing = run({"--verify", path("b.json")});
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(has(missing.err, "b.json: there is no such file; check its name"));
}

TEST_F(certificate_command, signs_with_an_instructors_key) {
  const outcome making = run({"--make-key", path("key.json")});
  EXPECT_EQ(making.status, 0) << making.err;
  EXPECT_TRUE(has(making.out, "key.json.pub   the public key"));
  const outcome second = run({"--make-key", path("key.json")});
  EXPECT_EQ(second.status, 2);
  EXPECT_TRUE(has(second.err, "the file exists; give another name: a key is never overwritten"));

  const outcome outcome_of_command = run({"--name", "Ada", "--key", path("key.json"), "--output", path("out")});
  EXPECT_EQ(outcome_of_command.status, 0) << outcome_of_command.err;
  EXPECT_TRUE(has(outcome_of_command.out, "instructor's key "));
  EXPECT_FALSE(fs::exists(folder_ / "config")) << "no local key was needed";
  EXPECT_EQ(run({"--verify", path("out/certificate.json"), "--public-key", path("key.json.pub")}).status, 0);

  run({"--make-key", path("other.json")});
  const outcome refused = run({"--verify", path("out/certificate.json"), "--public-key", path("other.json.pub")});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.out, "not valid: it is signed by the key "));
  EXPECT_TRUE(has(refused.out, "That is not the expected key."));
  EXPECT_TRUE(has(run({"--name", "Ada", "--key", path("key.json.pub")}).err, "users other than its owner may read"));
}

TEST_F(certificate_command, says_which_tasks_are_missing) {
  fs::remove(folder_ / "my/grades/A2.json");
  const outcome outcome_of_command = run({"--name", "Ada"});
  EXPECT_EQ(outcome_of_command.status, 1);
  EXPECT_TRUE(
      has(outcome_of_command.err, "1 of 5 tasks is not passed: A2 histogram; write your solution and try it with"));
  EXPECT_FALSE(fs::exists(folder_ / "my/certificate"));
  EXPECT_FALSE(fs::exists(folder_ / "config"));
}

TEST_F(certificate_command, takes_the_grades_of_another_folder) {
  fs::rename(folder_ / "my/grades", folder_ / "ada");
  EXPECT_EQ(run({"--name", "Ada"}).status, 1);
  EXPECT_EQ(run({"--name", "Ada", "--grades", path("ada")}).status, 0);
  const outcome missing = run({"--name", "Ada", "--grades", path("bob")});
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(has(missing.err, "--grades: Directory does not exist"));
}

TEST_F(certificate_command, wrong_usage_is_said) {
  EXPECT_TRUE(has(run({"--name", ""}).err, "the name on a certificate: it is empty"));
  EXPECT_EQ(run({"--name", ""}).status, 2);
  EXPECT_EQ(run({"--name", "Ada\nLovelace"}).status, 2);
  EXPECT_TRUE(has(run({"--name", "Ada", "--output", "/proc/none"}).err, "check that its folder can be written to"));
  EXPECT_EQ(run({"--name", "Ada", "--output", "/proc/none"}).status, 2);
  EXPECT_EQ(run({}).status, 2);
  EXPECT_TRUE(has(run({}).err, "--make-key"));
  EXPECT_EQ(run({"--public-key", "a"}).status, 2);
  EXPECT_EQ(run({"--name", "Ada", "--verify", "a"}).status, 2);
  EXPECT_EQ(run({"--fly"}).status, 2);
  EXPECT_EQ(run({"--help"}).status, 0);
}

TEST_F(certificate_command, a_letter_that_no_font_has_is_told_and_drawn_as_a_box) {
  const outcome outcome_of_command = run({"--name", "Ada \U0010FFFD"});
  EXPECT_EQ(outcome_of_command.status, 0);
  EXPECT_TRUE(has(outcome_of_command.err, "no font here has \U0010FFFD: the pages show boxes instead"));
}

}  // namespace certificate_command_test
