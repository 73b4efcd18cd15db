#pragma once
// A lesson's parameters as sliders and choices.

#include <map>
#include <string>
#include <vector>

#include "viewer/theme.h"
#include "workbook/parameters.h"

namespace viewer {

class parameter_panel {
 public:
  parameter_panel() = default;
  explicit parameter_panel(std::vector<workbook::parameter> declared,
                           std::vector<workbook::prediction> predictions = {});

  /// Draws them below each other.
  void draw(const theme& look);
  /// Draws the lesson's questions, each with a field for the guess.
  void draw_questions(const theme& look);
  void reset();
  /// Takes over what options() of another panel gave, where this lesson has such parameters and ranges.
  void take(const std::vector<std::string>& options);

  const workbook::parameters& chosen() const { return chosen_; }
  /// As the lesson's program takes them: "--size", "1000". Those at their default are left out.
  std::vector<std::string> options() const;
  /// As C++: one constant per parameter, with what it means.
  std::string as_cpp() const;

 private:
  workbook::parameters chosen_;
  workbook::parameters usual_;
  std::map<std::string, std::string> typed_, errors_;  // as they stand in the widgets
  std::vector<std::string> guesses_;                   // as typed, one for each question; empty: none
};

}  // namespace viewer
