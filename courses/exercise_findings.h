#pragma once
// What an exercise does when it is tried: its starter fails, its solution passes, its wrong solutions are each rejected
// for their own reason. Compiling takes longest: eight of them are compiled as one learner's file, and run one by one.

#include <vector>

#include "courses/finding.h"
#include "workbook/catalogue.h"

namespace courses {

/// The findings about one exercise of the course (workbook::course_root()), whose files exist. Throws
/// gs::machine_error if what the checks are compiled with isn't built, or if a limit of the machine is reached.
std::vector<finding> exercise_findings(const workbook::catalogue_exercise& exercise);

}  // namespace courses
