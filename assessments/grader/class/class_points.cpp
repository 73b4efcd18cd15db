#include <algorithm>

#include "assessments/grader/class/class_report.h"

namespace grader {

double possible_points(std::span<const graded_submission> submissions) {
  double most = 0;
  for (const auto& [name, v] : submissions) most = std::max(most, v.possible);
  return most;
}

std::vector<double> comparable_points(std::span<const graded_submission> submissions) {
  const double possible = possible_points(submissions);
  std::vector<double> points;
  for (const auto& [name, v] : submissions)
    if (!v.sha256.empty() && v.possible > 0) points.push_back(v.points / v.possible * possible);
  return points;
}

}  // namespace grader
