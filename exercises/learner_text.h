#pragma once
// What is said to a learner between checks: hints, progress, and what to do next.

#include <string>
#include <vector>

#include "exercises/learner.h"
#include "workbook/terminal/terminal.h"

namespace exercises {

std::string to_text(const shown_hint& h, const workbook::terminal& t);
std::string to_text(const std::vector<shown_hint>& hints, const workbook::terminal& t);

/// The exercises with their states, and how many are done.
std::string progress_text(const std::vector<workbook::course_part>& course, const workbook::progress& p,
                          const workbook::terminal& t);

}  // namespace exercises
