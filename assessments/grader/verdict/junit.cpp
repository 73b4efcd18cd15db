#include "assessments/grader/verdict/junit.h"

#include <fmt/format.h>

#include "assessments/grader/verdict/markup.h"
#include "assessments/grader/verdict/verdict_text.h"

namespace grader {
namespace {

std::string mishaps_text(const verdict& v, const std::string& criterion) {
  std::string text;
  for (const mishap& m : v.mishaps) {
    if (m.criterion != criterion) continue;
    text += headline(m) + "\n";
    if (!m.details.empty()) text += m.details + "\n";
  }
  return text;
}

std::string test_case_xml(const verdict& v, const criterion_result& r) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(v.task_name), escaped(r.id));
  if (r.state == criterion_state::passed) return out + "/>\n";
  if (r.state == criterion_state::not_run)
    return out + fmt::format("><skipped message=\"{}\"/></testcase>\n", escaped(r.summary));
  return out + fmt::format("><failure message=\"{}\">{}</failure></testcase>\n",
                           escaped(fmt::format("{}: {}", points_text(r.points, r.possible), r.summary)),
                           escaped(mishaps_text(v, r.id)));
}

}  // namespace

std::string to_junit(std::span<const verdict> verdicts) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const verdict& v : verdicts) {
    std::size_t failures = 0, skipped = 0, errors = 0;
    double seconds = 0;
    for (const stage_time& s : v.times) seconds += s.seconds;
    for (const criterion_result& r : v.criteria) {
      failures += r.state == criterion_state::failed || r.state == criterion_state::partly;
      skipped += r.state == criterion_state::not_run;
    }
    for (const mishap& m : v.mishaps) errors += m.criterion.empty();
    const std::size_t whole = errors > 0 ? 1 : 0;
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\" "
        "timestamp=\"{}\">\n",
        escaped(v.task_id + " " + v.file), v.criteria.size() + whole, failures, whole, skipped, seconds,
        escaped(v.graded.substr(0, 19)));
    if (whole > 0)
      out += fmt::format("    <testcase classname=\"{}\" name=\"submission\"><error>{}</error></testcase>\n",
                         escaped(v.task_name), escaped(mishaps_text(v, "")));
    // The time is the suite's: criteria share their calls.
    for (const criterion_result& r : v.criteria) out += test_case_xml(v, r);
    if (!v.output.empty()) out += "    <system-out>" + escaped(v.output) + "</system-out>\n";
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace grader
