#pragma once
// The result of a check as text for a terminal.

#include <string>

#include "exercises/result/exercise_result.h"
#include "workbook/terminal/terminal.h"

namespace exercises {

/// What failed first, with its line; the finding behind it, if there is one; how many checks passed. With `all`, every
/// check and every finding.
std::string to_text(const exercise_result& r, const workbook::terminal& t, bool show_all = false);

}  // namespace exercises
