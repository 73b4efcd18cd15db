#pragma once
// An exercise: the checks of a learner's file. They run in a program of their own, in the checked flavour.
//
// A lesson with an exercise has, beside its lesson.cpp:
//   exercise.cpp   what the learner starts from, made from solution.cpp
//   solution.cpp   complete; the places that the learner fills in are marked, see exercise/marks.h
//   checks.cpp     includes the learner's file by the macro GRIDSTRIDE_EXERCISE, and defines workbook::this_exercise()
//   hints.md       one hint per heading, from gentle to plain
// A warm-up before it has the same four in warm_up/ below the lesson's folder.

#include <cstdint>
#include <functional>
#include <map>
#include <source_location>
#include <string>

#include "runtime/instruments/host_loop.h"
#include "runtime/instruments/results/inspection.h"
#include "workbook/lesson.h"
#include "workbook/report.h"

namespace workbook {

struct exercise {
  int number = 0;         ///< the lesson's
  std::string name = {};  ///< the lesson's: "ufunc"
  std::string task = {};  ///< one sentence: what the learner must write
  /// Reports the checks, the simplest first: the learner is shown the first one that fails. Kernels may be run under
  /// gs::inspect, whose result goes into the report.
  std::function<void(report& report)> check = {};
};

/// Whether an inspection of the learner's kernels found nothing. If it found something, it goes into the report; an
/// exception that stopped the kernels without being a finding is rethrown.
bool is_clean(const gs::inspection& seen, report& report);

/// A count and how much of it each source line contributes.
class counted_by_line {
 public:
  void add(const gs::source_place& place, std::uint64_t n);
  std::uint64_t total() const { return total_; }
  /// "4: line 24 makes 3, line 31 makes 1"; the largest first, and no more than five.
  std::string text() const;

 private:
  std::uint64_t total_ = 0;
  std::map<unsigned, std::uint64_t> lines_;
};
/// report.check_at_most of the total; a failure names the lines.
bool check_at_most(report& report, std::string name, const counted_by_line& got, std::uint64_t limit,
                   std::source_location location = std::source_location::current());

/// The copies that an inspection saw, by source line of the learner's file.
counted_by_line copies_to_device(const gs::inspection& seen);
counted_by_line copies_to_host(const gs::inspection& seen);
/// Sectors that its requests moved beyond those that their bytes fill, by line (32 bytes each).
counted_by_line wasted_sectors(const gs::inspection& seen);
/// Bank conflicts: wavefronts beyond those that the same accesses take without any, by line.
counted_by_line bank_conflicts(const gs::inspection& seen);

/// The average number of lanes that go to global memory together: 32 where whole warps do, 1 where one thread works for
/// all. 0 if nothing goes there.
double lanes_together(const gs::inspection& seen);

/// The seed of the checks' random data: the learner's --seed, else the same one until the exercise has passed.
/// Defined by the program that runs the checks.
std::uint64_t seed_of_checks();
/// The file that is checked, for checks of its source. Defined by the same program.
std::string checked_file();

/// Defined once by each checks.cpp.
exercise this_exercise();

}  // namespace workbook
