// Inspections as JSON: what was written is read back, and what is no inspection is refused.

#include "workbook/json/inspection_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "tests/workbook/sample_inspection.h"
#include "workbook/json/report_json.h"

namespace inspection_json_test {

using json = nlohmann::ordered_json;

std::string error_of(const json& description) {
  try {
    workbook::read_inspection(description);
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(inspection_json, holds_findings_and_counters) {
  const json d = workbook::inspection_json(sample_inspection("kernel.cpp"));
  EXPECT_EQ(d["version"], 1);
  EXPECT_EQ(d["model"], "8.6");
  EXPECT_EQ(d["instruments"], json::parse(R"(["memcheck", "racecheck"])"));
  const json& race = d["findings"][0];
  EXPECT_EQ(race["finding"], to_string(gs::finding_kind::race_between_blocks));
  EXPECT_EQ(race["instrument"], "racecheck");
  EXPECT_EQ(race["place"], json::parse(R"({"file": "kernel.cpp", "line": 3, "column": 6})"));
  EXPECT_EQ(race["access"], "write");
  EXPECT_EQ(race["block"], json::parse("[1, 2, 0]"));
  EXPECT_EQ(race["thread"], json::parse("[0, 7, 0]"));
  EXPECT_EQ(race["index"], json::parse("[8, 15]"));
  EXPECT_EQ(race["extents"], json::parse("[512, 512]"));
  EXPECT_EQ(race["count"], 1024);
  EXPECT_EQ(race["other"]["access"], "read");
  EXPECT_EQ(race["other"]["place"]["line"], 2);
  EXPECT_FALSE(d["findings"][1].contains("other"));
  EXPECT_EQ(d["lines"][0]["expression"], "u(y, x)");
  EXPECT_EQ(d["lines"][0]["sectors_per_request"], 32);
  EXPECT_EQ(d["lines"][0]["active_lanes"], 32);
  EXPECT_EQ(d["lines"][0]["bytes_moved"], 32 * 32'000);
  EXPECT_EQ(d["lines"][2]["bank_conflicts"], 14'000);
  EXPECT_EQ(d["kernels"][0]["grid"], json::parse("[8, 64, 1]"));
  EXPECT_EQ(d["kernels"][0]["sectors_read"], 98'304);
  EXPECT_EQ(d["copies"][0]["place"]["line"], 4);
  EXPECT_EQ(d["copies"][0]["copies_to_device"], 0);
  EXPECT_EQ(d["copies"][0]["bytes_to_host"], 4000);
  EXPECT_EQ(d["copies"][1]["copies_to_device"], 2);
  EXPECT_EQ(d["pictures"][0]["requests"][0]["lanes"], json::parse("[0, 31]"));
  EXPECT_EQ(d["pictures"][0]["requests"][0]["addresses"], json::parse("[128, 252]"));
}

// Worked out for 68 multiprocessors at 1.71 GHz and 760 GB/s; of three launches, each.
TEST(inspection_json, holds_bounds_where_the_gpu_is_known) {
  gs::inspection result = sample_inspection("kernel.cpp");
  const json d = workbook::inspection_json(result);
  const json& bound = d["kernels"][0]["bound"];
  EXPECT_EQ(bound["card"], "GeForce RTX 3080");
  EXPECT_DOUBLE_EQ(bound["seconds"].get<double>(), 2 * 32'768 * 32 / 760e9);
  EXPECT_EQ(bound["limit"], "memory");
  EXPECT_DOUBLE_EQ(bound["seconds_from_l2"].get<double>(), 16'000 / 3.0 / (68 * 1.71e9));
  EXPECT_EQ(bound["limit_from_l2"], "shared memory");
  EXPECT_EQ(bound["seconds_by"].size(), 3u);
  EXPECT_DOUBLE_EQ(bound["seconds_by"]["L1 cache"].get<double>(), 36'500 / 3.0 / 4 / (68 * 1.71e9));
  EXPECT_EQ(d["kernels"][1]["bound"]["limit"], "L1 cache") << "of a single block";
  result.model = "99.9";
  EXPECT_FALSE(workbook::inspection_json(result)["kernels"][0].contains("bound"));
}

// What is read and written again is the same document, and members that can be compared are the same.
TEST(inspection_json, is_read_back) {
  gs::inspection original = sample_inspection("a \"quoted\" folder/µ.cpp");
  for (std::size_t k = 0; k < gs::detail::finding_kind_count; ++k) {
    gs::finding& f = original.findings.emplace_back();
    f.kind = static_cast<gs::finding_kind>(k);
    f.space = static_cast<gs::memory_space>(k % 3);
    f.index = {-1, std::numeric_limits<std::ptrdiff_t>::max()};
    f.same_value = k % 2 == 1;
    f.count = std::numeric_limits<std::uint64_t>::max();
  }
  const gs::inspection inspection_read =
      workbook::read_inspection(json::parse(workbook::inspection_json(original).dump()));
  EXPECT_EQ(workbook::inspection_json(inspection_read), workbook::inspection_json(original));
  EXPECT_EQ(inspection_read.instruments, original.instruments);
  ASSERT_EQ(inspection_read.findings.size(), original.findings.size());
  for (std::size_t k = 0; k < inspection_read.findings.size(); ++k) {
    EXPECT_EQ(inspection_read.findings[k].kind, original.findings[k].kind);
    EXPECT_EQ(inspection_read.findings[k].space, original.findings[k].space);
    EXPECT_EQ(inspection_read.findings[k].index, original.findings[k].index);
    EXPECT_EQ(inspection_read.findings[k].count, original.findings[k].count);
    EXPECT_EQ(inspection_read.findings[k].other.has_value(), original.findings[k].other.has_value());
  }
  EXPECT_EQ(inspection_read.lines[3].expression, "count[bin]");
  EXPECT_EQ(inspection_read.pictures[0].expression, "u(y, x)");
  EXPECT_EQ(inspection_read.pictures[0].requests[0].lanes[1].address, 252u);

  // Of before there were bounds.
  json older = workbook::inspection_json(original);
  for (const char* name : {"requests", "sectors", "wavefronts", "sectors_read", "sectors_written", "bound"})
    older["kernels"][0].erase(name);
  EXPECT_EQ(workbook::read_inspection(older).kernels[0].sectors_read, 0u);
  EXPECT_EQ(inspection_read.kernels[0].sectors_read, 98'304u);

  const gs::inspection empty = workbook::read_inspection(workbook::inspection_json({}));
  EXPECT_TRUE(empty.clean() && empty.lines.empty() && empty.kernels.empty() && empty.pictures.empty());
}

TEST(inspection_json, refuses_what_it_does_not_know) {
  json d = workbook::inspection_json(sample_inspection("kernel.cpp"));
  d["version"] = 2;
  EXPECT_EQ(error_of(d), "reading an inspection: its version is 2; write it with a Gridstride whose version is 1");
  d["version"] = 1;
  d["instruments"][0] = "mindcheck";
  EXPECT_EQ(error_of(d),
            "reading an inspection: \"mindcheck\" is not a name that is known here; read it with the version of "
            "Gridstride that wrote it");
  d["instruments"][0] = "memcheck";
  EXPECT_EQ(error_of(d), "no error");
  d["findings"][0].erase("count");
  EXPECT_NE(error_of(d).find("key 'count' not found; give what an inspected lesson wrote, unchanged"),
            std::string::npos);
  d["findings"] = 3;
  EXPECT_NE(error_of(d).find("give what an inspected lesson wrote, unchanged"), std::string::npos);
  for (const json& malformed : {json(), json(5), json::array()})
    EXPECT_NE(error_of(malformed).find("reading an inspection: "), std::string::npos);
}

TEST(inspection_json, numbers_that_no_member_can_hold_are_refused) {
  const json whole = workbook::inspection_json(sample_inspection("kernel.cpp"));
  for (const json& number : {json(-1), json(1e300), json(4.5), json(std::uint64_t{1} << 32), json("4")}) {
    json d = whole;
    d["findings"][0]["place"]["line"] = number;
    EXPECT_NE(error_of(d).find("reading an inspection: "), std::string::npos) << number;
  }
}
TEST(inspection_json, texts_cannot_steer_a_terminal) {
  json d = workbook::inspection_json(sample_inspection("kernel.cpp"));
  d["findings"][0]["place"]["file"] = "a\x1b[2J\xc2\x9b\xe2\x80\xae.cpp";
  EXPECT_EQ(workbook::read_inspection(d).findings.at(0).access.where.file, "a?[2J??.cpp");
}

TEST(inspection_json, is_found_in_a_report) {
  workbook::report r;
  r.paragraph("before");
  r.inspection(sample_inspection("kernel.cpp"));
  const std::string document = to_json(r);
  EXPECT_EQ(workbook::inspection_json(workbook::inspection_of_report(document)),
            workbook::inspection_json(sample_inspection("kernel.cpp")));
  EXPECT_EQ(json::parse(document)["status"], "failed");
  const auto error_of_text = [](const std::string& text) -> std::string {
    try {
      workbook::inspection_of_report(text);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "";
  };
  const std::string advice = "; give what a lesson prints for --inspect --json";
  EXPECT_EQ(error_of_text("{"), "reading an inspection: it is not JSON, or was cut off (byte 2)" + advice);
  EXPECT_EQ(error_of_text(std::string(100'000, '[')), "reading an inspection: it is nested more than 64 deep" + advice);
  for (const std::string text : {"[]", "3", R"({"schema": "gridstride-report"})", R"({"items": 4})",
                                 R"({"schema": "gridstride-report", "items": [1, {"kind": 2}, {"kind": "check"}]})"})
    try {
      workbook::inspection_of_report(text);
      ADD_FAILURE() << text;
    } catch (const gs::error& e) {
      EXPECT_STREQ(e.what(),
                   "reading an inspection: the document is no report that holds one; give what a lesson prints for "
                   "--inspect --json");
    }
}

}  // namespace inspection_json_test
