// A result as text and as JSON.

#include <nlohmann/json.hpp>

#include "exercises/learner_text.h"
#include "exercises/result/result_json.h"
#include "exercises/result/result_text.h"
#include "tests/exercises/small_course.h"

namespace {

using exercises::exercise_result, exercises::outcome;

exercise_result failed() {
  return {.exercise = {.number = 4, .name = "ufunc"},
          .file = "my/04_ufunc.cpp",
          .outcome = outcome::check_failed,
          .to_the_end = true,
          .checks = {{.name = "first", .passed = true, .expected = "1", .got = "1", .place = {}},
                     {.name = "second", .passed = false, .expected = "2", .got = "3", .place = {"/absent.cpp", 7, 0}},
                     {.name = "third", .passed = false, .expected = "", .got = "", .place = {"/absent.cpp", 8, 0}}},
          .asked_place = {"my/04_ufunc.cpp", 12, 0}};
}

}  // namespace

TEST(result_text, shows_what_failed_first) {
  EXPECT_EQ(to_text(failed(), {}),
            "04 ufunc  my/04_ufunc.cpp\n\n✗ second: expected 2, got 3\n    my/04_ufunc.cpp:12\n\n✗ 1 check passed, 2 "
            "failed.\n");
  EXPECT_NE(to_text(failed(), {}, true).find("✓ first\n✗ second: expected 2, got 3\n✗ third\n"), std::string::npos);
  const std::string ascii = to_text(failed(), {.unicode = false});
  EXPECT_TRUE(std::ranges::all_of(ascii, [](char c) { return static_cast<unsigned char>(c) < 128; })) << ascii;
}

TEST(result_text, shows_one_finding_and_how_many_more_there_are) {
  exercise_result r = failed();
  r.checks.resize(1);
  r.outcome = outcome::finding;
  r.findings.resize(3);
  for (auto& f : r.findings) f.meaning = "Thread 0 does.", f.kind = gs::finding_kind::race_in_block;
  const std::string text = to_text(r, {});
  EXPECT_NE(text.find("race in block"), std::string::npos) << text;
  EXPECT_EQ(text.find("race in block", text.find("race in block") + 1), std::string::npos) << text;
  EXPECT_NE(text.find("2 findings more; --all shows them\n"), std::string::npos);
  EXPECT_NE(text.find("✗ 1 check passed, 0 failed, 3 findings.\n"), std::string::npos);
  EXPECT_EQ(to_text(r, {}, true).find("--all"), std::string::npos);
}

TEST(result_text, shows_what_comes_first_of_a_failed_check_and_a_finding) {
  exercise_result r = failed();  // the second check failed
  r.findings.resize(1);
  r.findings[0].meaning = "Thread 0 does.";
  const auto shows = [&](const char* part) { return to_text(r, {}).find(part) != std::string::npos; };
  r.findings[0].checks_before = 0;
  EXPECT_TRUE(shows("Thread 0 does.") && !shows("second")) << to_text(r, {});
  EXPECT_TRUE(shows("✗ an unknown place"));
  r.findings[0].checks_before = 1;
  EXPECT_TRUE(shows("Thread 0 does.") && shows("✗ second")) << to_text(r, {});
  r.findings[0].checks_before = 2;
  EXPECT_TRUE(!shows("Thread 0 does.") && shows("✗ second")) << to_text(r, {});
  EXPECT_TRUE(shows("1 finding; --all shows it\n"));
  EXPECT_NE(to_text(r, {}, true).find("Thread 0 does."), std::string::npos);
  EXPECT_TRUE(shows("✗ 1 check passed, 2 failed, 1 finding.\n"));
  r.seed = 1;
  EXPECT_TRUE(shows(" The random data has seed 1.\n"));
}

TEST(result_text, says_how_the_program_ended) {
  exercise_result r = failed();
  r.checks.resize(1);
  r.to_the_end = false;
  r.outcome = outcome::crashed;
  r.text = "It crashed: segmentation fault.";
  r.place = {"my/04_ufunc.cpp", 12, 0};
  for (int k = 0; k < 25; ++k) r.output += "line\n";
  const std::string text = to_text(r, {});
  EXPECT_NE(text.find("✗ crash at my/04_ufunc.cpp:12\n  It crashed: segmentation fault.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("It printed:\n  line\n"), std::string::npos);
  EXPECT_NE(text.find("  ... and 5 more lines\n"), std::string::npos);
  EXPECT_NE(text.find("✗ 1 check passed, 0 failed; those that follow did not run.\n"), std::string::npos);
  r.checks.clear();
  EXPECT_NE(to_text(r, {}).find("✗ No check ran to its end.\n"), std::string::npos);
  r.outcome = outcome::passed;
  r.text = "";
  r.checks.resize(2);
  EXPECT_NE(to_text(r, {}).find("✓ All 2 checks passed.\n"), std::string::npos);
  r.seed = 7;
  EXPECT_NE(to_text(r, {}).find("✓ All 2 checks passed, with random data of seed 7.\n"), std::string::npos);
  r.device = "a GPU";
  EXPECT_NE(
      to_text(r, {}).find("✓ All 2 checks passed, compiled by nvcc and run on a GPU, with random data of seed 7.\n"),
      std::string::npos);
  r.left_out = "Marks were not looked for.";
  EXPECT_NE(to_text(r, {}).find(".\n\nMarks were not looked for.\n"), std::string::npos) << to_text(r, {});
}

TEST(result_json, has_every_member_that_its_description_names) {
  exercise_result r = failed();
  r.findings.resize(1);
  const auto d = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(d["schema"], "gridstride-exercise");
  EXPECT_EQ(d["version"], 1);
  EXPECT_EQ(d["lesson"], 4);
  EXPECT_EQ(d["passed"], false);
  EXPECT_EQ(d["outcome"], "check failed");
  EXPECT_EQ(d["checks"].size(), 3u);
  EXPECT_EQ(d["checks"][1]["expected"], "2");
  EXPECT_EQ(d["checks"][1]["place"]["line"], 7);
  EXPECT_EQ(d["checks"][0]["place"], nullptr);
  EXPECT_EQ(d["asked"]["line"], 12);
  EXPECT_EQ(d["seed"], nullptr);
  EXPECT_EQ(d["device"], nullptr);
  r.device = "a GPU";
  EXPECT_EQ(nlohmann::json::parse(to_json(r))["device"], "a GPU");
  EXPECT_EQ(d["left_out"], nullptr);
  r.left_out = "marks";
  EXPECT_EQ(nlohmann::json::parse(to_json(r))["left_out"], "marks");
  EXPECT_EQ(d["findings"].size(), 1u);
  const std::string readme = exercises_test::text_of(EXERCISES_README);
  for (const auto& [name, value] : d.items()) EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name;
}

TEST(hint_text, is_wrapped_to_the_window_but_for_its_code) {
  const exercises::shown_hint h{
      .exercise = 4,
      .hint = {.heading = "How",
               .text = "One two three\nfour five.\n\n```cpp\nint a_long_line_of_code = 1;\n```\n\n- an item"},
      .number = 2,
      .count = 3};
  EXPECT_EQ(to_text(h, {.width = 16}),
            "Hint 2 of 3: How\n\nOne two three\nfour five.\n\n    int a_long_line_of_code = 1;\n\n- an item\n");
}
