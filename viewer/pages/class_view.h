#pragma once
// The grades of a class: how they are distributed, and a table of the submissions.

#include <cstddef>
#include <optional>
#include <vector>

#include "assessments/grader/class/class_report.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/theme.h"

namespace viewer {

class class_view {
 public:
  explicit class_view(std::vector<grader::graded_submission> submissions);

  /// Draws it at ImGui's cursor, as wide as there is room; a press on a column's head sorts by it. Returns the
  /// submission whose line was pressed.
  const grader::graded_submission* draw(const theme& look);

  /// How many submissions have their points in each tenth of what could be reached; the last one holds its upper end.
  static std::vector<std::size_t> distribution(const std::vector<grader::graded_submission>& submissions);

 private:
  void draw_summary(const theme& look) const;
  void sort_as_asked();

  std::vector<grader::graded_submission> submissions_;
  std::optional<plot_widget> distribution_;
};

}  // namespace viewer
