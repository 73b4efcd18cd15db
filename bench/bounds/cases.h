#pragma once
// What is compared: a launch of each kernel, the work it does, and whether its result is right.

#include <functional>
#include <string>
#include <vector>

#include "runtime/instruments/device_model/time_bound.h"

namespace bench::bounds {

/// With its arrays on the current device.
struct prepared_launch {
  std::function<void()> run;       ///< queues it
  std::function<bool()> is_right;  ///< after one run, against a plain loop; of a product, its first and last elements
};

struct bounded_launch {
  std::string name;
  /// As the instruments count it, here by formula: tests/bench/bounds compares the two. And the arithmetic, which they
  /// don't count.
  gs::launch_work work;
  std::function<prepared_launch()> prepare;
};

/// On `elements` floats; products of matrices of `side` rows and columns, transposes of twice as many. Throws gs::error
/// unless elements are a multiple of 1,024, at most 2^31, and rows one of 32, at most 32,768, neither of them 0.
std::vector<bounded_launch> bounded_launches(std::size_t elements, std::size_t side);

}  // namespace bench::bounds
