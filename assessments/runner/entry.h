#pragma once
// What a submission's module exports: the task's function, as the runner calls it. Each task's entry.cpp implements it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace runner {

/// An array of one call, in memory that the runner shares with the grader. Row-major. What is const can't be written:
/// the pages are read-only. Several of them are none of the learner's business: the guard bands around an output.
struct argument {
  const std::byte* in = nullptr;  ///< an input's elements; null for an output
  /// An output's elements, or what the device holds of an input after the call; `guard` elements stand before them and
  /// as many behind them. Null where nothing is to be delivered.
  std::byte* out = nullptr;
  std::array<std::size_t, 3> extents = {};
  unsigned rank = 1;
  unsigned element_bytes = 4;
  std::size_t guard = 0;  ///< elements on each side of `out`, so that a multiple of 256 bytes keeps the alignment

  std::size_t size() const {
    std::size_t n = 1;
    for (unsigned d = 0; d < rank; ++d) n *= extents[d];
    return n;
  }
};

/// One call of the task's function: its arrays in the order of task.json, and its numbers.
struct call {
  std::span<const argument> arrays;
  std::span<const double> numbers;
};

/// Thrown by a task's entry for an answer that has another size or shape than was asked for.
struct wrong_shape : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The task's function. One object per module; the runner calls prepare, run, deliver in this order, again and again.
class submission {
 public:
  virtual ~submission() = default;
  /// Not timed: brings inputs to the device where the function takes device arrays; an output's device array starts as
  /// a copy of `out` with its guard bands, which the grader has poisoned.
  virtual void prepare(const call& c) = 0;
  /// Timed: calls the learner's function once and waits until the device is done. A function that returns host arrays
  /// has its answer copied to `out` here. Throws wrong_shape.
  virtual void run() = 0;
  /// Not timed: copies what is still on the device to `out`, guard bands included, and frees everything.
  virtual void deliver() = 0;
};

}  // namespace runner

/// The one name a submission's module exports.
extern "C" __attribute__((visibility("default"))) runner::submission* gridstride_submission();
