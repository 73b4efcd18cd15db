#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <vector>

#include "assessments/grader/class/class_page.h"
#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/markup.h"
#include "assessments/grader/verdict/speed_statistics.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "workbook/number_text.h"

namespace grader {
namespace {

std::string points(double v) { return workbook::significant(v, 4); }

// 'sha256-...': the browser runs this script and no other, whatever stands in the page.
std::string script_hash() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(page_script.data()), page_script.size());
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)> text;
  sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(), sodium_base64_VARIANT_ORIGINAL);
  return fmt::format("'sha256-{}'", text.data());
}

// A histogram of the points: ten columns, each a tenth of the possible points.
std::string spread(std::span<const graded_submission> submissions) {
  std::array<std::size_t, 10> count{};
  const double possible = possible_points(submissions);
  for (const double points : comparable_points(submissions))
    ++count[std::min<std::size_t>(9, static_cast<std::size_t>(10 * points / possible))];
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(count));
  std::string out =
      "<svg class=\"spread\" viewBox=\"0 0 220 64\" role=\"img\" aria-label=\"How the points are spread\">";
  for (std::size_t k = 0; k < count.size(); ++k) {
    const double height = 44 * static_cast<double>(count[k]) / static_cast<double>(most);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{:.1f}\" width=\"19\" height=\"{:.1f}\" rx=\"2\"><title>{} to {} %: {}</title></rect>",
        22 * k + 1, 48 - height, std::max(height, 1.0), 10 * k, 10 * k + 10, count[k]);
  }
  return out + "<text x=\"0\" y=\"62\">0 %</text><text x=\"220\" y=\"62\" text-anchor=\"end\">100 %</text></svg>";
}

std::string tile(const std::string& value, const std::string& label) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escaped(value), escaped(label));
}

std::string head_cell(std::string text, bool number, const std::string& title = "") {
  std::ranges::replace(text, '_', ' ');
  return fmt::format("<th scope=\"col\"{} title=\"{}\"><button type=\"button\">{}</button></th>",
                     number ? " class=\"number\"" : "", escaped(title), escaped(text));
}

std::string state_mark(criterion_state s) {
  switch (s) {
    case criterion_state::passed:
      return "✓";
    case criterion_state::partly:
      return "◐";
    case criterion_state::failed:
      return "✗";
    case criterion_state::not_run:
      break;
  }
  return "–";
}

std::string place_text(const gs::source_place& place) {
  return place.line > 0 ? fmt::format("line {}", place.line) : std::string();
}

std::string mishap_html(const mishap& m) {
  std::string facts = place_text(m.place);
  if (m.other_place.line > 0) facts += " and " + place_text(m.other_place);
  if (!m.call.empty()) facts += (facts.empty() ? "" : " · ") + m.call;
  std::string out =
      fmt::format("<div class=\"mishap\"><h4>{} <small>{}</small></h4>", escaped(to_string(m.kind)), escaped(facts));
  if (!m.text.empty()) out += "<p>" + escaped(m.text) + "</p>";
  if (!m.details.empty()) out += "<pre>" + escaped(m.details) + "</pre>";
  return out + "</div>\n";
}

std::string details_html(const verdict& v) {
  std::string out = "<dl>";
  for (const criterion_result& r : v.criteria)
    out += fmt::format("<dt class=\"{}\">{} {}</dt><dd>{} / {} · {}</dd>", to_string(r.state), state_mark(r.state),
                       escaped(r.title), points(r.points), points(r.possible), escaped(r.summary));
  out += "</dl>\n";
  for (const mishap& m : v.mishaps) out += mishap_html(m);
  for (const std::string& note : v.notes) out += "<p class=\"faint\">" + escaped(note) + "</p>";
  if (!v.output.empty()) out += "<h4>It printed</h4><pre>" + escaped(v.output) + "</pre>";
  double seconds = 0;
  for (const stage_time& s : v.times) seconds += s.seconds;
  return out + fmt::format("<p class=\"faint\">{} · sha256 {} · isolation: {} · {:.1f} s · {}</p>", escaped(v.file),
                           escaped(v.sha256.substr(0, 16)), escaped(v.isolation), seconds, escaped(v.graded));
}

std::string row_html(const graded_submission& submission, std::size_t columns) {
  const verdict& v = submission.result;
  std::string out = fmt::format(
      "<tbody><tr class=\"row\"><td class=\"name\" data-v=\"{0}\"><button type=\"button\" class=\"open\" "
      "aria-expanded=\"true\">{0}</button>"
      "</td><td class=\"result\" data-v=\"{1}\"><span class=\"{2}\">{3}</span></td><td class=\"number\" "
      "data-v=\"{4}\">{5}</td>",
      escaped(submission.name), v.passed ? 1 : 0, v.passed ? "passed" : "failed", v.passed ? "passed" : "not passed",
      v.points, points(v.points));
  for (const criterion_result& r : v.criteria)
    out += fmt::format("<td class=\"number\" data-v=\"{}\"><span class=\"{}\" title=\"{}\">{} {}</span></td>",
                       r.state == criterion_state::not_run ? -1 : r.points, to_string(r.state), escaped(r.summary),
                       r.state == criterion_state::not_run ? "" : points(r.points), state_mark(r.state));
  const std::string first = v.mishaps.empty() ? "" : escaped(to_string(v.mishaps[0].kind));
  out += fmt::format("<td data-v=\"{0}\">{0}</td></tr>\n<tr class=\"more\"><td colspan=\"{1}\">", first, columns);
  return out + details_html(v) + "</td></tr></tbody>\n";
}

}  // namespace

std::string class_html(const task& t, std::span<const graded_submission> submissions) {
  std::size_t passed = 0;
  const std::vector<double> reached = comparable_points(submissions);
  bool isolated = true;
  for (const auto& [name, v] : submissions) {
    passed += v.passed;
    isolated &= v.isolation != "not isolated";
  }
  const std::string title = escaped(fmt::format("{} {}", t.id, t.title));
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src {}\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      script_hash(), title, page_style, title);
  if (!isolated) out += "<p class=\"warning\">Submissions ran with this user's rights: not isolated.</p>\n";
  out += "<section class=\"tiles\">\n" + tile(fmt::format("{}", submissions.size()), "submissions") +
         tile(fmt::format("{}", passed), "passed");
  if (!reached.empty())
    out += tile(points(median_of(reached)),
                fmt::format("points in the median, of {}", points(possible_points(submissions))));
  out += spread(submissions) + "</section>\n<table>\n<thead><tr>" + head_cell("name", false) +
         head_cell("result", false) + head_cell("points", true);
  for (const criterion& c : t.criteria) out += head_cell(c.id, true, c.title);
  out += head_cell("first mishap", false) + "</tr></thead>\n";
  for (const graded_submission& submission : submissions) out += row_html(submission, 4 + t.criteria.size());
  if (!submissions.empty())
    out += fmt::format("</table>\n<footer>{} · {} · Gridstride {}</footer>\n", escaped(submissions[0].result.device),
                       escaped(submissions[0].result.machine), escaped(submissions[0].result.version));
  else
    out += "</table>\n";
  return out + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", page_script);
}

}  // namespace grader
