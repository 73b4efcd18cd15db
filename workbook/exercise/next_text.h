#pragma once
// Where the learner is in the course, and what to do next.

#include <string>
#include <vector>

#include "workbook/catalogue.h"
#include "workbook/exercise/progress.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// "3 of 20 exercises passed, 1 skipped."
std::string passed_text(const std::vector<catalogue_exercise>& exercises, const progress& p);

/// The exercise to go on with, the lessons before it, and the commands.
std::string next_text(const std::vector<course_part>& course, const progress& p, const terminal& t);

}  // namespace workbook
