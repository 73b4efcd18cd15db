#pragma once
// The mark of an exercise's state in lists.

#include <string>

#include "workbook/exercise/progress.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// ✓ passed, … started, → skipped, a blank for an untouched one; one column wide.
std::string mark_of(exercise_state s, const terminal& t);

}  // namespace workbook
