#pragma once
// What an exercise is: the checks of what a learner writes. They run in a program of their own, in the checked flavour.
//
// A lesson with an exercise has, beside its lesson.cpp:
//   exercise.cpp   what the learner starts from, made from solution.cpp
//   solution.cpp   complete; the places that the learner fills in are marked, see exercise/marks.h
//   checks.cpp     includes the learner's file by the macro GRIDSTRIDE_EXERCISE, and defines workbook::this_exercise()
//   hints.md       one hint per heading, from gentle to plain

#include <cstdint>
#include <functional>
#include <string>

#include "runtime/instruments/inspection.h"
#include "workbook/lesson.h"
#include "workbook/report.h"

namespace workbook {

struct exercise {
  int number = 0;         ///< the lesson's
  std::string name = {};  ///< the lesson's: "ufunc"
  std::string task = {};  ///< one sentence: what is to be written
  /// Fills in the checks, the simplest first: the first one that fails is what the learner is told of. Kernels may be
  /// run under gs::inspect, whose result goes into the report.
  std::function<void(report& report)> check = {};
};

/// Whether an inspection of the learner's kernels found nothing. If it did, it goes into the report; what stopped the
/// kernels without being a finding is thrown on.
bool is_clean(const gs::inspection& seen, report& report);

/// The seed of the checks' random data: the same until the exercise has passed, as long as the learner gives none.
/// Defined by the program that runs the checks.
std::uint64_t seed_of_checks();

/// Defined once by each checks.cpp.
exercise this_exercise();

}  // namespace workbook
