#pragma once
// How a task's solutions fare when they are graded by the program that a learner runs: right ones pass, wrong ones
// are rejected for the reason that their first line names, and the starter compiles and fails.
//
//   // expect: wrong_answer                a mishap of this kind, as the JSON verdict names it
//   // expect: exception or finding        one of them
//   // expect: criterion:coalesced         this criterion fails, and correctness doesn't
//
// Grading ends at the first failure, unless the line says ", graded whole": what the instruments find of a race comes
// after answers that may have been wrong. Speed is measured only where it is what fails.

#include <filesystem>
#include <string>
#include <vector>

#include "courses/finding.h"

namespace courses {

/// The grader's program for the current course.
std::filesystem::path grade_program();

/// The findings about all solutions of the task in the folder assessments/`task`. `every_size`: includes cases that
/// need more than 500 MB.
/// Throws gs::machine_error where the grader says that the machine lacks something.
std::vector<finding> right_solution_findings(const std::string& task, const std::filesystem::path& file,
                                             bool every_size = false);
std::vector<finding> wrong_solution_findings(const std::string& task, const std::filesystem::path& file);
std::vector<finding> starter_findings(const std::string& task, const std::filesystem::path& file);

}  // namespace courses
