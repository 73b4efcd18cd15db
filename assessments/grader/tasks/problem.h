#pragma once
// The trusted side of a task: makes the inputs of a call and checks its answer against a float64 reference. Each task's
// problem.cpp implements it; it is part of the grader and never seen by a submission.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assessments/grader/tasks/task.h"

namespace grader {

enum class array_role {
  host_input,    ///< read-only memory of the submission's process
  device_input,  ///< delivered again after the call and compared
  host_output,   ///< returned by the function, copied to the shared memory
  device_output  ///< a device array between guard bands
};

/// An array of a call, in the order of the function's parameters.
struct array_plan {
  std::string name;
  array_role role = array_role::host_input;
  std::vector<std::size_t> extents;
  unsigned element_bytes = 4;
};
struct call_plan {
  std::vector<array_plan> arrays;
  std::vector<double> numbers;
};

/// The first wrong element. Or a number that follows from all elements, such as an energy: then `array` is what it is
/// called, and there is neither index nor extent.
struct wrong_answer {
  std::string array;
  std::vector<std::size_t> index, extents;
  double expected = 0, got = 0;
  double tolerance = 0;     ///< 0: exactly
  std::uint64_t wrong = 0;  ///< elements that are wrong
  std::string
      explanation;  ///< what kind of value it is, where that helps: "a value on the edge of a bin"; perhaps empty
};

class problem {
 public:
  virtual ~problem() = default;
  /// Throws gs::error for a case whose sizes or data it doesn't know.
  virtual call_plan plan(const test_case& c) const = 0;
  /// Fills the inputs, in the plan's order (an output's span is empty). The same seed, the same inputs.
  virtual void make_inputs(const test_case& c, std::uint64_t seed,
                           std::span<const std::span<std::byte>> arrays) const = 0;
  /// `arrays`: inputs as generated and outputs as returned. Empty if everything is right.
  virtual std::optional<wrong_answer> check(const test_case& c,
                                            std::span<const std::span<const std::byte>> arrays) const = 0;
};

/// The size with that name. Throws gs::error if the case has none.
std::uint64_t size_of(const test_case& c, const std::string& name);
/// Throws gs::error: the case's data is none of the known kinds.
[[noreturn]] void refuse_data(const test_case& c, const std::vector<std::string>& known);

/// The problem of the task with this id: "A1". Throws gs::error for an unknown one.
std::unique_ptr<problem> problem_of(std::string_view id);

/// What makes the problem of each task, by id: NAME_problem() of its problem.cpp. Written by CMake for the course that
/// the program is built for.
std::map<std::string, std::unique_ptr<problem> (*)(), std::less<>> course_problems();

}  // namespace grader
