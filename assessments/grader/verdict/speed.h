#pragma once
// The criterion "speed": the submission's time beside the baseline's, pair by pair.

#include <functional>

#include "assessments/grader/verdict/correctness.h"
#include "assessments/grader/verdict/grading.h"
#include "assessments/grader/verdict/speed_statistics.h"

namespace grader {

/// Both are called with the same fresh inputs, each in a process of its own, after one call each that warms them up.
/// The answers of timed calls are checked like any other's: a wrong one counts in `answers` and ends the comparison. A
/// baseline's answer may differ (a transpose is compared with a plain copy); if it doesn't run at all, or the
/// interval is too wide, speed is not graded here. Several cases share the points. Without points the ratio is shown.
criterion_result grade_speed(grading& g, const criterion& c, correctness& answers, const speed_rules& rules = {});

}  // namespace grader
