#pragma once
// Marks: the places of a solution.cpp that the learner fills in.
//
//   // Your turn.            or: // Your turn: one sentence.
//   return x + 10;           the solution's lines
//   //= return x;            what the starter has in their place
//   // Until here.

#include <string>
#include <string_view>

namespace workbook {

/// What the learner starts from: between the marks the solution's lines are left out and those after "//= " are code.
/// Everything else stays. Throws gs::error, with the line, for marks that don't belong together, a place that is the
/// same in both, and a source without marks.
std::string starter_of(std::string_view solution);

/// The solution as it is shown: the lines of the starter are left out, the marks stay. Throws as starter_of does.
std::string shown_solution(std::string_view solution);

}  // namespace workbook
