#pragma once
// A verdict as text for a terminal.

#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"
#include "workbook/terminal/terminal.h"

namespace grader {

/// Task and file; a line for each criterion; each mishap with its place and details; what was left
/// out; points, isolation and where the time went. What submissions printed is shown only if it isn't passed.
std::string to_text(const verdict& v, const workbook::terminal& t);

/// A mishap in one line: "race at line 12 and 14, values 33, normal: Nothing decides ...".
std::string headline(const mishap& m);

/// "60 of 100 points", with a decimal where there is one.
std::string points_text(double points, double possible);

/// The tasks, and how to begin with one.
std::string tasks_text(const std::vector<task>& tasks, const workbook::terminal& t);

}  // namespace grader
