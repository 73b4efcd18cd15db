#pragma once
// call_memory: where a call's arrays are in the two shared memories, and what is written in and around the outputs
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

/// The first overwritten element of a guard band: `offset` elements from the output's first one, negative
/// before it, at least its size past the end.
struct overwritten_guard {
  std::string array;
  std::ptrdiff_t offset = 0;
  std::size_t size = 0;
};

/// The first changed element of a device input, in row-major order.
struct changed_element {
  std::string array;
  std::size_t element = 0;
};

class call_memory {
 public:
  /// Lays out a call. Guard bands have 64, 128, 192 or 256 elements of four bytes, at random. Throws gs::error for a
  /// plan with more arrays or numbers than a request can hold.
  /// With `exchange`, host inputs have a second place, for the values that the device gets instead.
  explicit call_memory(call_plan plan, bool exchange = false);

  std::uint64_t inputs_bytes() const { return inputs_bytes_; }
  std::uint64_t outputs_bytes() const { return outputs_bytes_; }
  /// The request that prepares this call.
  runner::request prepare() const;

  /// The inputs, in the plan's order; an output's span is empty.
  std::vector<std::span<std::byte>> inputs(std::span<std::byte> memory) const;
  /// With `exchange`: copies the host inputs to their second place.
  void keep_exchanged(std::span<std::byte> memory) const;
  /// Poisons the outputs and draws new guard bands. Poison is a signalling NaN as float and double,
  /// and a large odd number as an integer: a new one each time, so that no answer is right because of what was left in
  /// memory.
  void poison(std::span<std::byte> outputs);
  std::optional<overwritten_guard> check_guards(std::span<const std::byte> outputs) const;
  std::optional<changed_element> check_inputs(std::span<const std::byte> inputs,
                                              std::span<const std::byte> outputs) const;
  /// For problem::check: the inputs as generated, the outputs as returned.
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
