#pragma once
// Verdicts as JUnit XML, which CI systems show: a suite per submission, a test case per criterion.

#include <span>
#include <string>

#include "assessments/grader/verdict/verdict.h"

namespace grader {

/// A criterion that failed or was passed in part is a failure, one that did not run is skipped. Mishaps are listed with
/// their criterion; those of the whole submission are an error of a test case of its own, "submission".
std::string to_junit(std::span<const verdict> verdicts);

}  // namespace grader
