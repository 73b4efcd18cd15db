#include <fmt/format.h>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "runtime/core/printable.h"

namespace grader {

using gs::detail::printable;
namespace {

std::string csv_field(std::string_view content) {
  std::string text = printable(content);
  if (!text.empty() && std::string_view("=+-@\t").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  return out + "\"";
}

}  // namespace

std::string class_csv(const task& t, std::span<const graded_submission> submissions) {
  std::string out = "name,passed,points,possible";
  for (const criterion& c : t.criteria) out += "," + csv_field(c.id);
  out += ",mishap,what,file,sha256,isolation,seconds,graded\r\n";
  for (const auto& [name, v] : submissions) {
    out += fmt::format("{},{},{},{}", csv_field(name), v.passed ? "yes" : "no", v.points, v.possible);
    for (const criterion_result& r : v.criteria)
      out += r.state == criterion_state::not_run ? "," : fmt::format(",{}", r.points);
    double seconds = 0;
    for (const stage_time& s : v.times) seconds += s.seconds;
    const bool any = !v.mishaps.empty();
    out += fmt::format(",{},{},{},{},{},{:.1f},{}\r\n", any ? csv_field(to_string(v.mishaps[0].kind)) : "",
                       any ? csv_field(headline(v.mishaps[0])) : "", csv_field(v.file), v.sha256,
                       csv_field(v.isolation), seconds, v.graded);
  }
  return out;
}

}  // namespace grader
