// --inspect: its options, exit statuses and output, by running the toy lesson without instruments and with stand-ins.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "workbook/json/inspection_json.h"

namespace inspection_command_test {

using nlohmann::json;

struct outcome {
  int status = -1;
  std::string out;
};

outcome run(const std::string& command) {
  std::FILE* pipe = popen(("LC_ALL=C.UTF-8 " + command + " </dev/null").c_str(), "r");
  outcome o;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) o.out.append(part.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) o.status = WEXITSTATUS(status);
  return o;
}

outcome inspected(const std::string& options, const std::string& variables = "", const char* errors = "2>/dev/null") {
  return run(variables + " '" INSPECTED_TOY "' --inspect " + options + " " + errors);
}

TEST(inspect_option, ends_with_0_without_findings) {
  const outcome o = inspected("");
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_NE(o.out.find("No findings: "), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find("✓"), std::string::npos) << "the lesson's own results stay out of it: " << o.out;
}

TEST(inspect_option, ends_with_1_for_a_finding_and_a_failed_check) {
  const outcome o = inspected("", "TOY_FINDINGS=1");
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.out.find("2 findings: "), std::string::npos) << o.out;
  EXPECT_EQ(inspected("--size 11").status, 1);
  EXPECT_EQ(inspected("--fail surprise").status, 1);
  EXPECT_EQ(inspected("--fail usage").status, 2);
  EXPECT_EQ(inspected("--fail machine").status, 3);
}

TEST(inspect_option, shows_what_was_found_before_the_lesson_broke) {
  const outcome o = inspected("--json --fail machine", "TOY_FINDINGS=1");
  EXPECT_EQ(o.status, 3);
  EXPECT_EQ(json::parse(o.out)["status"], "error");
  EXPECT_EQ(workbook::inspection_of_report(o.out).findings.size(), 2u);
}

TEST(inspect_option, writes_json) {
  const outcome o = inspected("--json", "TOY_FINDINGS=1");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(json::parse(o.out)["status"], "failed");
  EXPECT_EQ(workbook::inspection_of_report(o.out).findings.size(), 2u);
  EXPECT_EQ(json::parse(inspected("--json").out)["status"], "passed");
}

TEST(inspect_option, chooses_parameters_for_inspection_unless_they_are_given) {
  EXPECT_EQ(json::parse(inspected("--json").out)["parameters"]["sigma"], 1.75);
  EXPECT_EQ(json::parse(inspected("--json --sigma 2.5").out)["parameters"]["sigma"], 2.5);
  EXPECT_EQ(json::parse(run("'" INSPECTED_TOY "' --json").out)["parameters"]["sigma"], 2);
}

TEST(inspect_option, passes_on_instruments_and_gpu) {
  const auto findings_of = [](const std::string& options, const std::string& variables = "") {
    return json::parse(inspected("--json " + options, variables).out)["items"].back()["inspection"];
  };
  EXPECT_EQ(findings_of("")["instruments"].size(), gs::detail::instrument_count);
  EXPECT_EQ(findings_of("--instruments racecheck")["instruments"], json::array({"racecheck"}));
  EXPECT_EQ(findings_of("", "GRIDSTRIDE_INSPECT=racecheck")["instruments"], json::array({"racecheck"}));
  EXPECT_EQ(findings_of("--instruments racecheck", "GRIDSTRIDE_INSPECT=typo")["instruments"],
            json::array({"racecheck"}));
  EXPECT_EQ(findings_of("--gpu 8.6")["model"], "8.6");
  EXPECT_EQ(findings_of("--gpu 8.6")["kernels"][0]["bound"]["card"], "GeForce RTX 3080");
  EXPECT_EQ(findings_of("--gpu H200")["kernels"][0]["bound"]["card"], "H200");
  EXPECT_NE(inspected("--help").out.find("a card such as H200"), std::string::npos);
  EXPECT_EQ(findings_of("")["orders"], 2);
  EXPECT_EQ(findings_of("--orders 4")["orders"], 4);
  EXPECT_EQ(findings_of("--orders 1")["notes"], json::array({"kernel was observed in one order."}));
  EXPECT_EQ(findings_of("")["notes"], json::array());
  EXPECT_NE(inspected("--orders 1").out.find("Note: kernel was observed in one order."), std::string::npos);
  EXPECT_NE(inspected("--help").out.find("N orders take about N times as long"), std::string::npos);
}

TEST(inspect_option, refuses_wrong_usage_with_2) {
  const outcome typo = inspected("--instruments typo", "", "2>&1");
  EXPECT_EQ(typo.status, 2);
  EXPECT_EQ(typo.out, "99_toy: GRIDSTRIDE_INSPECT: 'typo'; choose among those there are\n");
  for (const std::string wrong : {"0", "1001", "many"})
    EXPECT_EQ(inspected("--orders " + wrong, "", "2>&1").status, 2) << wrong;
  for (const std::string option :
       {"--instruments all", "--gpu 8.6", "--lines", "--line 2", "--registers 40", "--orders 3"}) {
    const outcome alone = run("'" INSPECTED_TOY "' " + option + " 2>&1");
    EXPECT_EQ(alone.status, 2) << option;
    EXPECT_NE(alone.out.find("requires --inspect"), std::string::npos) << alone.out;
  }
}

TEST(inspect_option, shows_all_lines_when_asked) {
  EXPECT_NE(inspected("").out.find("--lines"), std::string::npos);
  EXPECT_EQ(inspected("--lines").out.find("--lines"), std::string::npos);
}

TEST(inspect_option, draws_a_line_when_asked) {
  const outcome o = inspected("--line 2");
  EXPECT_NE(o.out.find("read of u(y, x) in line 2"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("bytes used"), std::string::npos) << o.out;
  const outcome missing = inspected("--line 3", "", "2>&1");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.out.find("99_toy: --line 3: no kernel accesses an array in that line; use one of 2"),
            std::string::npos)
      << missing.out;
}

TEST(inspect_option, takes_registers_for_the_occupancy) {
  const json inspection = json::parse(inspected("--json --registers 40").out)["items"].back()["inspection"];
  EXPECT_EQ(inspection["registers_per_thread"], 40);
  EXPECT_EQ(inspected("--registers 256").status, 2);
}

TEST(inspect_option, says_once_that_it_will_take_long) {
  const outcome o = inspected("--json", "", "2>&1 >/dev/null");
  EXPECT_EQ(
      o.out,
      "99_toy: inspecting slow will take about 3min 20s, at 5.0 million accesses a second; smaller parameters (see "
      "--help) show the same lines sooner.\n");
}

TEST(inspect_option, explains_itself) {
  const outcome o = run("'" TOY_LESSON "' --help");
  for (const char* part :
       {"--inspect", "--instruments LIST", "--gpu CC", "--registers N", "--line N", "--lines", "[2, inspected 1.75]"})
    EXPECT_NE(o.out.find(part), std::string::npos) << part << "\n" << o.out;
}

#if !GRIDSTRIDE_CHECKED
TEST(inspect_option, needs_the_checked_flavour) {
  const outcome o = run("'" TOY_LESSON "' --inspect 2>&1");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "99_toy: --inspect: this program was built without the instruments; run ./gridstride inspect 99\n");
}
#endif

}  // namespace inspection_command_test
