#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/speed_statistics.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "runtime/core/printable.h"
#include "workbook/number_text.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_grid.h"
#include "workbook/terminal/text_layout.h"

namespace grader {

using gs::detail::printable;
namespace {

constexpr std::size_t narrowest_mishap = 20;

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return printable(text);
}

std::string median_text(const std::vector<double>& points, std::size_t submissions) {
  if (points.empty()) return "";
  std::string text = fmt::format("; the median is {} points", workbook::significant(median_of(points), 4));
  if (points.size() < submissions) text += fmt::format(", of the {} that could be graded", points.size());
  return text;
}

}  // namespace

std::string class_text(const task& t, std::span<const graded_submission> submissions, const workbook::terminal& w) {
  workbook::text_grid grid{.title = fmt::format("{} {}", t.id, t.name),
                           .head = {"", "name", "points", "what went wrong first"},
                           .right = {false, false, true, false},
                           .lines = {}};
  const std::vector<double> points = comparable_points(submissions);
  std::size_t passed = 0;
  bool isolated = true;
  // A table that fits: names get a third of the window at most, and what went wrong the rest.
  std::size_t names = workbook::display_width(grid.head[1]);
  for (const auto& [name, v] : submissions) names = std::max(names, workbook::display_width(one_line(name)));
  names = std::min(names, std::max<std::size_t>(w.width / 3, 10));
  const std::size_t others = 1 + 2 + names + 2 + workbook::display_width(grid.head[2]) + 2;
  const std::size_t rest = w.width > others + narrowest_mishap ? w.width - others : narrowest_mishap;
  for (const auto& [name, v] : submissions) {
    passed += v.passed;
    isolated &= v.isolation != "not isolated";
    grid.lines.push_back({v.passed ? "✓" : "✗", workbook::cut(one_line(name), names),
                          workbook::significant(v.points, 4),
                          v.mishaps.empty() ? "" : workbook::cut(one_line(headline(v.mishaps[0])), rest)});
  }
  std::string out = workbook::to_text(grid, w) + "\n";
  if (!submissions.empty())
    out += fmt::format("{} of {} passed{}.{}\n", passed, submissions.size(), median_text(points, submissions.size()),
                       isolated ? "" : " NOT ISOLATED.");
  else
    out += "There are no submissions.\n";
  return w.unicode ? out : workbook::to_ascii(out);
}

std::string class_json(const task& t, std::span<const graded_submission> submissions) {
  nlohmann::ordered_json document = {{"schema", "gridstride-class"},
                                     {"version", 1},
                                     {"task", {{"id", t.id}, {"name", t.name}, {"version", t.version}}},
                                     {"submissions", nlohmann::ordered_json::array()}};
  for (const auto& [name, v] : submissions)
    document["submissions"].push_back({{"name", printable(name)}, {"verdict", verdict_json(v)}});
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace grader
