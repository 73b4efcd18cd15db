#pragma once
// The peak of float32 arithmetic: fused multiply-adds in registers.

#include <cstddef>

namespace bench::limits {

/// Runs `steps` steps of independent chains of fused multiply-adds on one core; returns a value that depends on all
/// steps.
float multiply_add(std::size_t steps);
/// The same on every core at once.
float multiply_add_on_all_cores(std::size_t steps);

/// Floating-point operations of one step on one core; a fused multiply-add is two.
std::size_t operations_per_step();

}  // namespace bench::limits
