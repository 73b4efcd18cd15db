#pragma once
// Checks a whole course: its files, and what they do when they are built, run, checked and graded.

#include <functional>
#include <string_view>
#include <vector>

#include "courses/finding.h"
#include "workbook/catalogue.h"

namespace courses {

/// Runs a lesson's built program at its default parameters: every check must pass, and its number and name must be
/// those of its folder.
std::vector<finding> lesson_findings(const workbook::catalogue_entry& lesson);

/// Runs the lessons, exercises and assessments of the course (workbook::course_root()), whose files have been checked
/// and built before. `on_progress` is called before each.
std::vector<finding> behaviour_findings(
    const std::function<void(double fraction, std::string_view activity)>& on_progress);

}  // namespace courses
