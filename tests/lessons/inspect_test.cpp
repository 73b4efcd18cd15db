// Every lesson under the instruments: no false alarm, and the faults that lessons show on purpose are found.

#include <map>
#include <set>

#include "tests/lessons/lesson_process.h"
#include "tests/lessons/lesson_text.h"
#include "workbook/json/inspection_json.h"

namespace {

const std::map<std::string, std::set<gs::finding_kind>> faults_on_purpose{
    {"13_first_kernel", {gs::finding_kind::outside_shape}},
    {"17_races_and_atomics", {gs::finding_kind::race_in_block, gs::finding_kind::race_between_blocks}},
    {"23_shared_memory", {gs::finding_kind::race_in_block, gs::finding_kind::uninitialized_read}},
    {"24_matmul", {gs::finding_kind::outside_shape}},
    {"26_diffusion", {gs::finding_kind::race_between_blocks}},
    {"29_warps", {gs::finding_kind::race_in_block, gs::finding_kind::uninitialized_read}}};

class every_inspected_lesson : public testing::TestWithParam<std::string> {};

TEST_P(every_inspected_lesson, has_the_findings_that_it_means_to_have) {
  const lesson_outcome outcome = run_command(lesson_program(GetParam()) + " --inspect --json 2>/dev/null");
  std::set<gs::finding_kind> kinds;
  for (const gs::finding& f : workbook::inspection_of_report(outcome.out).findings) {
    kinds.insert(f.kind);
    EXPECT_NE(f.access.where.file.find("lessons/" + GetParam()), std::string::npos) << to_string(f.access.where);
  }
  const auto expected = faults_on_purpose.find(GetParam());
  EXPECT_EQ(kinds, expected == faults_on_purpose.end() ? std::set<gs::finding_kind>() : expected->second);
  EXPECT_EQ(outcome.status, kinds.empty() ? 0 : 1);
  for (const nlohmann::json& check : items_of(nlohmann::json::parse(outcome.out), "check"))
    EXPECT_TRUE(check.at("passed")) << check.dump();
}

TEST_P(every_inspected_lesson, has_a_text_whose_inspections_are_accepted) {
  for (const std::string& options : commands_in(GetParam(), "inspect")) {
    const lesson_outcome refused = run_lesson(GetParam(), options + " --inspect --seed wrong");
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.out.find("--seed: 'wrong'"), std::string::npos) << options << "\n" << refused.out;
  }
}

INSTANTIATE_TEST_SUITE_P(, every_inspected_lesson, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
