#pragma once
// All that can be said of a course: of its files, and of what they do when they are built, run, checked and graded.

#include <functional>
#include <string_view>
#include <vector>

#include "courses/finding.h"
#include "workbook/catalogue.h"

namespace courses {

/// What a lesson's built program comes to at its default parameters: every check passes, and number and name are those
/// of its folder.
std::vector<finding> lesson_findings(const workbook::catalogue_entry& lesson);

/// What the course's (workbook::course_root()) lessons, exercises and assessments do; its files have been looked at,
/// and what they become is built. `on_progress` is told of each before it is tried.
std::vector<finding> behaviour_findings(const std::function<void(double fraction, std::string_view what)>& on_progress);

}  // namespace courses
