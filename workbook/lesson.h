#pragma once
// What a lesson is. A lesson's source defines `workbook::this_lesson()`; the program around it does the rest.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workbook/parameters.h"
#include "workbook/report.h"
#include "workbook/simulation.h"

namespace workbook {

/// Of a program that is no lesson of the course.
inline constexpr int no_number = -1;

struct lesson {
  int number = no_number;
  std::string name = {};     ///< "hypot"
  std::string title = {};    ///< "A function, compiled and timed"
  std::string summary = {};  ///< one sentence for lists and --help
  std::vector<parameter> parameters = {};
  std::vector<prediction> predictions = {};  ///< what the reader is asked before the lesson runs
  /// Runs the lesson and fills the report. Throws gs::error for what it can't do, gs::machine_error for what the
  /// machine lacks.
  std::function<void(const workbook::parameters&, report&)> run = {};
  /// Makes the lesson's simulation at its beginning, if the lesson is one.
  std::function<std::unique_ptr<simulation>(const workbook::parameters&)> simulate = {};
};

/// Defined once by each lesson.
lesson this_lesson();

/// The number and name as the lesson's folder and program are called: "06_gaussian_pdf"; the name alone of a program
/// that has no number.
std::string program_name(const lesson& l);

}  // namespace workbook
