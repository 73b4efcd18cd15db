#pragma once
// The results of a whole class: a table for a spreadsheet, a page for a browser, a summary for a terminal.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
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

/// The points of the graded submissions, each scaled to the most points that anybody here could reach:
/// 30 of 60 points count as 50 of 100. Submissions that were refused unread are left out.
std::vector<double> comparable_points(std::span<const graded_submission> submissions);
/// The most points that anybody here could reach.
double possible_points(std::span<const graded_submission> submissions);

/// RFC 4180 with a header line. A text that a spreadsheet would take for a formula gets an apostrophe in front.
std::string class_csv(const task& t, std::span<const graded_submission> submissions);

/// A self-contained page: a click on a column sorts it, and each row opens to show its mishaps.
std::string class_html(const task& t, std::span<const graded_submission> submissions);

/// A line for each submission, how many passed, and the median of the points.
std::string class_text(const task& t, std::span<const graded_submission> submissions, const workbook::terminal& w);

/// "schema": "gridstride-class", with the task and all verdicts.
std::string class_json(const task& t, std::span<const graded_submission> submissions);

/// What class_json() wrote. Throws gs::error if it is another document, or the class of another task.
std::vector<graded_submission> read_class(std::string_view document, std::string_view task_id);

}  // namespace grader
