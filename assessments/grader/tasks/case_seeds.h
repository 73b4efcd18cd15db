#pragma once
// Seeds of inputs: public cases have the same inputs in every run, hidden ones new inputs in each.

#include <cstdint>

#include "assessments/grader/tasks/task.h"

namespace grader {

class case_seeds {
 public:
  explicit case_seeds(std::uint64_t run_seed) : state_(run_seed) {}
  /// A new one at every call; the whole sequence follows from the run's seed.
  std::uint64_t fresh();
  /// Follows from the case alone.
  static std::uint64_t fixed(const test_case& c);

 private:
  std::uint64_t state_;
};

/// For runs without a given seed: from the system's random numbers.
std::uint64_t random_run_seed();

}  // namespace grader
