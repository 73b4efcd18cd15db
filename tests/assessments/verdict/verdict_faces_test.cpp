// A verdict on its faces: terminal, JSON and back, JUnit; and the tables of a class.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/junit.h"
#include "assessments/grader/verdict/markup.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "runtime/core/error.h"
#include "tests/assessments/verdict/sample_verdict.h"
#include "tests/runtime/refused.h"
#include "workbook/terminal/text_layout.h"

namespace verdict_faces_test {

using grader::graded_submission, grader::verdict;

constexpr const char* hostile = "<script>alert(\"1\")</script>&'\x1b[2J\xff]]>";

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n--- in:\n" << text;
}
void expect_not_in(const std::string& part, const std::string& text) {
  EXPECT_EQ(text.find(part), std::string::npos) << part << "\n--- in:\n" << text;
}

// Whether tags are closed in their order, attributes quoted, entities known: what XML asks for and this project writes.
testing::AssertionResult is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size();) {
    if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n' && xml[i] != '\t')
      return testing::AssertionFailure() << "a control character at " << i;
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i, 6);
      if (!entity.starts_with("&amp;") && !entity.starts_with("&lt;") && !entity.starts_with("&gt;") &&
          !entity.starts_with("&quot;") && !entity.starts_with("&#39;"))
        return testing::AssertionFailure() << "an unknown entity at " << entity;
    }
    if (xml[i] != '<') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    for (bool quoted = false; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') quoted = !quoted;
      if (xml[end] == '<') return testing::AssertionFailure() << "a < in a tag at " << end;
    }
    if (end == xml.size()) return testing::AssertionFailure() << "a tag that isn't closed";
    const std::string tag = xml.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
    if (tag.starts_with("/")) {
      if (open.empty() || "/" + open.back() != tag)
        return testing::AssertionFailure() << "</" << tag << "> closes nothing";
      open.pop_back();
    } else if (!tag.starts_with("?") && !tag.ends_with("/")) {
      open.push_back(name);
    }
    i = end + 1;
  }
  if (!open.empty()) return testing::AssertionFailure() << "<" << open.back() << "> stays open";
  return testing::AssertionSuccess();
}

// --- terminal --------------------------------------------------------------------------------------------------------

TEST(verdict_text, says_everything) {
  const std::string text = to_text(sample_verdict(), {.width = 100});
  EXPECT_EQ(text, R"(A2 histogram  A histogram that loses no value
my/histogram.cpp

  ◐ every count exact                    30 / 50  12 of 20 calls right
  ✗ nothing for the instruments to find   0 / 20  1 finding
  ✓ counts of each block                 30 / 30  0.001 atomic operations on global memory per value
  – beside global atomics                  0 / 0  not run: the answers are wrong

wrong answer
  at bins 10, values 1,009, edges
  counts[3] of shape (10,) is 18, expected 17; 2 of 10 are wrong.

race  my/histogram.cpp:12:5 and my/histogram.cpp:14:7
  at bins 10, values 33, normal
  race between blocks: Nothing decides which of the two comes first.
       12 | counts[bin] += 1;
          | ^

Note: bins 64, values 100,000,000, normal was left out: it needs 1.5 GB of memory, and 1.1 GB are
free.

It printed:
  | PASS

Not passed: 60 of 100 points; "every count exact" and "nothing for the instruments to find" must be
passed
isolation: bubblewrap · engine · seed 18446744073709551557
3.8 s: compile 3.2 s, correctness 0.5 s
)");
}

TEST(verdict_text, says_the_same_mishap_once) {
  verdict v = sample_verdict();
  grader::mishap ended{.kind = grader::mishap_kind::ended, .text = "It ended.", .place = {"a.cpp", 3, 1}};
  ended.other_place = ended.place;
  v.mishaps.clear();
  for (const char* call : {"values 1", "values 31"}) {
    ended.call = call;
    v.mishaps.push_back(ended);
  }
  expect_in("ended  a.cpp:3:1\n  at values 1; at values 31\n  It ended.\n\n", to_text(v, {.width = 100}));
  v.mishaps[1].text = "It ended again.";
  expect_in("  at values 31\n  It ended again.\n", to_text(v, {.width = 100}));
}

TEST(verdict_text, fits_into_its_window_and_alphabet) {
  const workbook::terminal narrow{.width = 50, .colours = workbook::colour_depth::none, .unicode = false};
  const std::string text = to_text(sample_verdict(), narrow);
  for (const char letter : text) EXPECT_GE(letter, 0) << text;
  expect_in("  X nothing for the instruments to find   0 / 20\n    1 finding\n", text);
  expect_in("  - beside global atomics", text);
  expect_in("  ~ every count exact", text);
}

TEST(verdict_text, has_colours_on_terminals_only) {
  const verdict v = sample_verdict();
  expect_in("\033[38;5;", to_text(v, {.width = 100, .colours = workbook::colour_depth::palette_256}));
  expect_not_in("\033", to_text(v, {.width = 100}));
}

TEST(verdict_text, says_so_where_nothing_is_isolated) {
  verdict v = sample_verdict();
  v.isolation = "not isolated";
  expect_in("NOT ISOLATED", to_text(v, {.width = 100}));
}

TEST(verdict_text, says_that_a_compile_error_costs_nothing) {
  verdict v = sample_verdict();
  v.mishaps[0].kind = grader::mishap_kind::compile_error;
  expect_in("nothing ran, so nothing is lost", to_text(v, {.width = 100}));
}

TEST(verdict_text, hides_the_output_of_what_is_passed) {
  verdict v = sample_verdict();
  v.passed = true;
  expect_not_in("It printed", to_text(v, {.width = 100}));
  v.passed = false;
  v.output = "";
  for (int k = 0; k < 30; ++k) v.output += "line\n";
  expect_in("and more; --json has it", to_text(v, {.width = 100}));
}

TEST(verdict_text, has_headlines) {
  const verdict v = sample_verdict();
  EXPECT_EQ(
      headline(v.mishaps[0]),
      "wrong answer, bins 10, values 1,009, edges: counts[3] of shape (10,) is 18, expected 17; 2 of 10 are wrong.");
  EXPECT_EQ(headline(v.mishaps[1]),
            "race at line 12 and 14, bins 10, values 33, normal: race between blocks: Nothing decides which of the two "
            "comes first.");
}

TEST(verdict_text, lists_the_tasks) {
  grader::task t;
  t.id = "A2";
  t.name = "histogram";
  t.title = "A histogram";
  t.folder = "/x/assessments/A2_histogram";
  const std::string text = grader::tasks_text({t}, {.width = 100});
  expect_in("A2 histogram  A histogram\n", text);
  expect_in("cp -n assessments/A2_histogram/starter.cpp my/histogram.cpp", text);
  expect_in("./gridstride grade A2 my/histogram.cpp", text);
}

// --- JSON ------------------------------------------------------------------------------------------------------------

TEST(verdict_json, comes_back_as_it_went) {
  verdict v = sample_verdict();
  v.mishaps[0].got = std::numeric_limits<double>::quiet_NaN();
  v.mishaps[0].expected = -std::numeric_limits<double>::infinity();
  const std::string document = to_json(v);
  const verdict verdict_read = grader::read_verdict(document);
  EXPECT_EQ(to_json(verdict_read), document);
  EXPECT_EQ(verdict_read.seed, v.seed);
  EXPECT_EQ(verdict_read.criteria[0].state, grader::criterion_state::partly);
  EXPECT_EQ(verdict_read.criteria[3].state, grader::criterion_state::not_run);
  EXPECT_EQ(verdict_read.mishaps[1].place, v.mishaps[1].place);
  EXPECT_EQ(verdict_read.mishaps[1].other_place, v.mishaps[1].other_place);
  EXPECT_EQ(verdict_read.mishaps[0].place.line, 0u);
  EXPECT_TRUE(std::isnan(*verdict_read.mishaps[0].got));
  EXPECT_LT(*verdict_read.mishaps[0].expected, 0);
  EXPECT_FALSE(verdict_read.mishaps[1].expected);
  EXPECT_EQ(verdict_read.speed[0].pairs, 8u);
  EXPECT_EQ(verdict_read.version, "0.1");
}

TEST(verdict_json, has_the_members_of_its_description) {
  const auto document = nlohmann::json::parse(to_json(sample_verdict()));
  EXPECT_EQ(document["schema"], "gridstride-verdict");
  EXPECT_EQ(document["version"], 1);
  EXPECT_EQ(document["mishaps"][0]["kind"], "wrong_answer");
  EXPECT_EQ(document["mishaps"][1]["where"]["line"], 12);
  EXPECT_EQ(document["criteria"][3]["state"], "not_run");
  EXPECT_EQ(document["seed"], "18446744073709551557");
}

TEST(verdict_json, names_every_kind) {
  for (std::size_t k = 0; k <= static_cast<std::size_t>(grader::mishap_kind::refused); ++k) {
    verdict v = sample_verdict();
    v.mishaps[0].kind = static_cast<grader::mishap_kind>(k);
    EXPECT_EQ(grader::read_verdict(to_json(v)).mishaps[0].kind, v.mishaps[0].kind);
  }
}

TEST(verdict_json, replaces_what_is_no_text) {
  verdict v = sample_verdict();
  v.file = hostile;
  EXPECT_NO_THROW(grader::read_verdict(to_json(v)));
}

TEST(verdict_json, refuses_other_documents) {
  const auto refusal = [](const std::function<void(nlohmann::json&)>& change) -> std::string {
    auto document = nlohmann::json::parse(to_json(sample_verdict()));
    change(document);
    try {
      grader::read_verdict(document.dump(), "v.json");
    } catch (const gs::error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([](auto& d) { d["new_member"] = 1; }), "accepted");
  EXPECT_EQ(refusal([](auto& d) { d["schema"] = "other"; }),
            "reading v.json: schema is that of another document; give a verdict");
  EXPECT_EQ(refusal([](auto& d) { d["version"] = 2; }),
            "reading v.json: version is 2; write it with a Gridstride whose version is 1");
  EXPECT_EQ(refusal([](auto& d) { d.erase("passed"); }), "reading v.json: passed is missing; add it");
  EXPECT_EQ(refusal([](auto& d) { d["seed"] = "12x"; }),
            "reading v.json: seed is \"12x\"; give an integer from 0 on, as a text");
  EXPECT_EQ(refusal([](auto& d) { d["criteria"][0]["state"] = "fine"; }),
            "reading v.json: criteria[0].state is \"fine\"; give passed, partly, failed or not_run");
  EXPECT_EQ(refusal([](auto& d) { d["mishaps"][0]["kind"] = "bad luck"; }),
            "reading v.json: mishaps[0].kind is \"bad luck\"; read it with the version of Gridstride that wrote it");
  EXPECT_EQ(refusal([](auto& d) { d["mishaps"][0]["got"] = "many"; }),
            "reading v.json: mishaps[0].got is \"many\"; give a number");
  EXPECT_EQ(refusal([](auto& d) { d["mishaps"][0]["index"] = {1, -1}; }),
            "reading v.json: mishaps[0].index[1] is -1; give an integer from 0 on");
  try {
    grader::read_verdict("{", "v.json");
    ADD_FAILURE() << "accepted";
  } catch (const gs::error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("reading v.json: it is not JSON")) << e.what();
  }
}

// --- XML, HTML, CSV --------------------------------------------------------------------------------------------------

TEST(verdict_text, shows_no_name_that_steers_the_terminal) {
  verdict v = sample_verdict();
  v.file = v.mishaps[1].place.file = v.mishaps[1].other_place.file =
      "my/\x1b]0;title\x07\xc2\x9b"
      "2J.cpp";
  const std::string text = to_text(v, {.width = 100});
  expect_in("my/?]0;title??2J.cpp\n", text);
  expect_in("my/?]0;title??2J.cpp:12:5", text);
  for (const char* escape : {"\x1b", "\x07", "\xc2\x9b"}) expect_not_in(escape, text);
}

TEST(junit, has_a_case_for_each_criterion) {
  const verdict v = sample_verdict();
  const std::string xml = grader::to_junit({&v, 1});
  EXPECT_TRUE(is_well_formed(xml)) << xml;
  expect_in(
      "<testsuite name=\"A2 my/histogram.cpp\" tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\" time=\"3.750\" "
      "timestamp=\"2026-11-21T18:48:03\">",
      xml);
  expect_in("<testcase classname=\"histogram\" name=\"private_counts\"/>", xml);
  expect_in("<failure message=\"30 of 50 points: 12 of 20 calls right\">", xml);
  expect_in("<skipped message=\"not run: the answers are wrong\"/>", xml);
  expect_in("race at line 12 and 14", xml);
  expect_in("<system-out>PASS", xml);
}

TEST(junit, is_well_formed_whatever_is_in_it) {
  verdict v = sample_verdict();
  v.file = v.output = v.mishaps[0].text = v.mishaps[1].details = v.criteria[0].summary = hostile;
  v.mishaps[0].criterion.clear();
  const std::string xml = grader::to_junit({&v, 1});
  EXPECT_TRUE(is_well_formed(xml)) << xml;
  expect_in("<testcase classname=\"histogram\" name=\"submission\"><error>wrong answer", xml);
  expect_in("tests=\"5\" failures=\"2\" errors=\"1\"", xml);
  expect_not_in("<script>", xml);
}

TEST(escaped, has_entities_for_what_means_something_in_xml) {
  EXPECT_EQ(grader::escaped("<a b='c'>&\""), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
}

class class_faces : public testing::Test {
 protected:
  class_faces() {
    task.id = "A2";
    task.name = "histogram";
    task.title = "A histogram";
    for (const grader::criterion_result& r : sample_verdict().criteria) {
      grader::criterion& c = task.criteria.emplace_back();
      c.id = r.id;
      c.title = r.title;
    }
    submissions = {{"anna", sample_verdict()}, {"ben", sample_verdict()}};
    submissions[1].result.passed = true;
    submissions[1].result.points = 95.5;
    submissions[1].result.mishaps.clear();
  }
  grader::task task;
  std::vector<graded_submission> submissions;
};

TEST_F(class_faces, as_csv) {
  EXPECT_EQ(
      class_csv(task, submissions),
      "name,passed,points,possible,correctness,findings,private_counts,speed,mishap,what,file,sha256,isolation,"
      "seconds,graded\r\n"
      "anna,no,60,100,30,0,30,,wrong answer,\"wrong answer, bins 10, values 1,009, edges: counts[3] of shape (10,) is "
      "18, expected 17; 2 of 10 are wrong.\",my/histogram.cpp,"
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08,bubblewrap,3.8,2026-11-21T18:48:03Z\r\n"
      "ben,yes,95.5,100,30,0,30,,,,my/histogram.cpp,"
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08,bubblewrap,3.8,2026-11-21T18:48:03Z\r\n");
}

TEST_F(class_faces, as_csv_quotes_what_is_hostile) {
  submissions[0].name = "=HYPERLINK(\"http://evil\",\"x\")";
  submissions[1].name = "two\nlines";
  const std::string csv = class_csv(task, submissions);
  expect_in("\r\n\"'=HYPERLINK(\"\"http://evil\"\",\"\"x\"\")\",no,", csv);
  expect_in("\r\n\"two\nlines\",yes,", csv);
  for (const char first : {'+', '-', '@'}) {
    submissions[0].name = first + std::string("1");
    expect_in(std::string("\r\n'") + first + "1,no", class_csv(task, submissions));
  }
}

TEST_F(class_faces, as_html_escapes_what_is_hostile) {
  const std::string tame = class_html(task, submissions);
  const std::string scripts = "<script>";
  const auto count = [&](const std::string& page) {
    std::size_t n = 0;
    for (std::size_t i = page.find(scripts); i != page.npos; i = page.find(scripts, i + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(tame), 1u) << "the page's own";
  verdict& v = submissions[0].result;
  submissions[0].name = v.file = v.output = v.isolation = v.device = v.notes[0] = hostile;
  v.mishaps[0].text = v.mishaps[0].details = v.mishaps[0].array = v.mishaps[1].call = v.criteria[0].summary = hostile;
  task.title = task.criteria[0].title = hostile;
  const std::string page = class_html(task, submissions);
  EXPECT_EQ(count(page), 1u);
  expect_not_in("\x1b", page);
  expect_not_in("alert(\"1\")", page);
  expect_in("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-", page);
  expect_not_in("http://", page);
}

TEST_F(class_faces, as_html_has_rows_that_open) {
  const std::string page = class_html(task, submissions);
  expect_in("<h1>A2 A histogram</h1>", page);
  expect_in("<b>2</b><span>submissions</span>", page);
  expect_in("<b>1</b><span>passed</span>", page);
  expect_in("aria-expanded=\"true\">anna</button>", page);
  expect_in("<td class=\"number\" data-v=\"95.5\">95.5</td>", page);
  expect_in("counts[3] of shape (10,) is 18, expected 17", page);
  expect_not_in("not isolated", page);
  submissions[0].result.isolation = "not isolated";
  expect_in("class=\"warning\"", class_html(task, submissions));
}

TEST_F(class_faces, as_text) {
  const std::string text = class_text(task, submissions, {.width = 60, .interactive = true});
  expect_in("✗  anna      60  wrong answer, bins 10", text);
  expect_in("✓  ben     95.5\n", text);
  expect_in("1 of 2 passed; the median is 77.75 points.\n", text);
  expect_in("There are no submissions.", class_text(task, {}, {}));
  submissions[0].name = std::string(90, 'a');
  submissions[0].result.mishaps[0].text = std::string(200, 'x');
  for (const std::size_t width : {60u, 80u, 120u}) {
    const std::string fitting = class_text(task, submissions, {.width = width, .interactive = false});
    for (std::size_t begin = 0; begin < fitting.size();) {
      const std::size_t end = fitting.find('\n', begin);
      EXPECT_LE(workbook::display_width(fitting.substr(begin, end - begin)), width) << fitting;
      begin = end + 1;
    }
  }
  const std::string ascii = class_text(task, submissions, {.unicode = false});
  for (const char letter : ascii) EXPECT_GE(letter, 0) << ascii;
}

TEST_F(class_faces, the_median_is_of_what_could_be_graded) {
  submissions[0].result.points = 30;
  submissions[0].result.possible = 60;  // the rest could not be graded here
  expect_in("1 of 2 passed; the median is 72.75 points.\n", class_text(task, submissions, {.width = 60}));
  verdict refused_unread = sample_verdict();
  refused_unread.sha256.clear();
  refused_unread.points = 0;
  submissions.push_back({"cleo", refused_unread});
  expect_in("1 of 3 passed; the median is 72.75 points, of the 2 that could be graded.\n",
            class_text(task, submissions, {.width = 60}));
  const std::string page = class_html(task, submissions);
  expect_in("<b>72.75</b><span>points in the median, of 100</span>", page);
  expect_in("0 to 10 %: 0<", page);
  submissions = {{"cleo", refused_unread}};
  expect_in("0 of 1 passed.\n", class_text(task, submissions, {.width = 60}));
  expect_not_in("median", class_html(task, submissions));
}

TEST_F(class_faces, as_json) {
  const auto document = nlohmann::json::parse(class_json(task, submissions));
  EXPECT_EQ(document["schema"], "gridstride-class");
  ASSERT_EQ(document["submissions"].size(), 2u);
  EXPECT_EQ(document["submissions"][1]["name"], "ben");
  EXPECT_EQ(grader::read_verdict(document["submissions"][0]["verdict"].dump()).points, 60);
}

TEST_F(class_faces, as_json_and_back) {
  const auto read = grader::read_class(class_json(task, submissions), task.id);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].name, "ben");
  EXPECT_EQ(read[0].result.points, 60);
  const auto is_refused = [&](const std::string& document, const std::string& id, const std::string& why) {
    return runtime_test::refused([&] { grader::read_class(document, id); },
                                 {"reading the grades of a class", why, "grade the folder again, with --json"});
  };
  EXPECT_TRUE(is_refused("", task.id, "JSON"));
  EXPECT_TRUE(is_refused("{}", task.id, "schema"));
  EXPECT_TRUE(is_refused(R"({"schema": "gridstride-verdict", "version": 1})", task.id, "another kind of document"));
  EXPECT_TRUE(is_refused(class_json(task, submissions), "A9", "it is that of " + task.id + ", not of A9"));
}

}  // namespace verdict_faces_test
