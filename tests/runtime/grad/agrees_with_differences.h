#pragma once
// Gradients of functions of arrays beside central differences in float64.

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/grad/check_gradient.h"
#include "runtime/gs.h"
#include "tests/runtime/numpy/reference.h"

namespace runtime_test {

inline gs::device_array<double> numbers(const gs::shape& extents, double low = -1, double high = 2) {
  return gs::to_device(numbers_between<double>(low, high, extents.size())).reshape(extents);
}

/// Every gradient that `model` has, beside the differences of its value when one element moves.
template <class Model, class... X>
void agrees_with_differences(const Model& model, const X&... x) {
  const gs::gradient_check check = gs::check_gradient(model, x...);
  EXPECT_TRUE(check.agrees(1e-7)) << gs::to_string(check);
  EXPECT_GT(std::fabs(check.derivative) + std::fabs(check.difference), 0) << "nothing was compared";
}

}  // namespace runtime_test
