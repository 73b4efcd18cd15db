#pragma once
// What came of a whole class, on its faces: a table for a spreadsheet, a page for a browser, a summary for a terminal.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"
#include "workbook/terminal/terminal.h"

namespace grader {

/// One submission of the class.
struct graded_submission {
  std::string name;  ///< of the file without its ending, or of the folder
  verdict result;
};

/// The points of those that were graded, each as what it would be if all that anybody here could reach had been graded:
/// 30 of 60 points count as 50 of 100. What was refused unread isn't among them.
std::vector<double> comparable_points(std::span<const graded_submission> all);
/// The most points that anybody here could reach.
double possible_points(std::span<const graded_submission> all);

/// RFC 4180 with a head line. A text that a spreadsheet would take for a formula begins with an apostrophe.
std::string class_csv(const task& t, std::span<const graded_submission> all);

/// A page that needs nothing else: sorted by a click on a column, each row opens to its mishaps.
std::string class_html(const task& t, std::span<const graded_submission> all);

/// A line for each submission, how many passed, and the median of the points.
std::string class_text(const task& t, std::span<const graded_submission> all, const workbook::terminal& w);

/// "schema": "gridstride-class", with the task and all verdicts.
std::string class_json(const task& t, std::span<const graded_submission> all);

}  // namespace grader
