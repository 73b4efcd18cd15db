#pragma once
// call_memory: where the arrays of a call lie in the two shared memories, and what stands in and around the outputs
// before a submission fills them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "assessments/grader/tasks/problem.h"
#include "assessments/runner/message.h"

namespace grader {

/// An array's place; offsets in bytes, multiples of 256, runner::argument_place::nowhere for none.
struct array_place {
  array_plan plan;
  std::uint64_t in = runner::argument_place::nowhere, out = runner::argument_place::nowhere;
  std::uint64_t exchanged = runner::argument_place::nowhere;  ///< of an input on the host, beside `in`
  std::uint64_t guard = 0;                                    ///< elements on each side of `out`

  std::size_t size() const;  ///< elements
  std::size_t bytes() const { return size() * plan.element_bytes; }
  bool is_output() const { return plan.role == array_role::host_output || plan.role == array_role::device_output; }
};

/// The first element of a guard band that was overwritten: `offset` elements from the output's first one, negative
/// before it, at least its size behind it.
struct overwritten_guard {
  std::string array;
  std::ptrdiff_t offset = 0;
  std::size_t size = 0;
};

/// A device input that isn't what it was: the first element, in row-major order.
struct changed_element {
  std::string array;
  std::size_t element = 0;
};

class call_memory {
 public:
  /// Lays out a call. Guard bands have 64, 128, 192 or 256 elements of four bytes, at random. Throws gs::error for a
  /// plan of more arrays or numbers than a request can name.
  /// With `exchange`, inputs on the host have a second place, for the values that the device is to get instead.
  explicit call_memory(call_plan plan, bool exchange = false);

  std::uint64_t inputs_bytes() const { return inputs_bytes_; }
  std::uint64_t outputs_bytes() const { return outputs_bytes_; }
  /// The request that prepares this call.
  runner::request prepare() const;

  /// The inputs, in the plan's order; an output's span is empty.
  std::vector<std::span<std::byte>> inputs(std::span<std::byte> memory) const;
  /// With `exchange`: copies what stands in the inputs on the host to their second place.
  void keep_exchanged(std::span<std::byte> memory) const;
  /// Poisons what is to be delivered and draws the guard bands anew. Poison is a signalling NaN as float and double,
  /// and a large odd number as an integer: another one each time, so that no answer is right by what was left in the
  /// memory.
  void poison(std::span<std::byte> outputs);
  std::optional<overwritten_guard> check_guards(std::span<const std::byte> outputs) const;
  std::optional<changed_element> check_inputs(std::span<const std::byte> inputs,
                                              std::span<const std::byte> outputs) const;
  /// For problem::check: the inputs as they were made, the outputs as they came back.
  std::vector<std::span<const std::byte>> answer(std::span<const std::byte> inputs,
                                                 std::span<const std::byte> outputs) const;
  bool has_device_input() const;
  bool has_device_output() const;
  const std::vector<array_place>& arrays() const { return arrays_; }

 private:
  std::vector<double> numbers_;
  std::vector<array_place> arrays_;
  std::uint64_t inputs_bytes_ = 256, outputs_bytes_ = 256;  // never empty, so that both can be mapped
  std::random_device entropy_;
  std::uint64_t guard_seed_ = 0;
};

}  // namespace grader
