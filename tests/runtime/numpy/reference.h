#pragma once
// What the tests of array programming compare with: plain loops in float64.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace runtime_test {

inline constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 100'000};

/// n numbers between low and high, in a pattern that no two sizes share.
template <class T>
std::vector<T> numbers_between(double low, double high, std::size_t n) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double part = std::fmod(0.5 + 0.6180339887498949 * static_cast<double>(i), 1.0);
    x[i] = static_cast<T>(low + (high - low) * part);
  }
  return x;
}

/// Element by element, to `ulps` roundings of T. NaN equals NaN.
template <class T, class Expected>
testing::AssertionResult agrees(const std::vector<T>& computed, std::size_t n, Expected expected, double ulps) {
  if (computed.size() != n) return testing::AssertionFailure() << computed.size() << " elements, not " << n;
  for (std::size_t i = 0; i < n; ++i) {
    const double right = static_cast<double>(expected(i)), got = static_cast<double>(computed[i]);
    if (std::isnan(right) && std::isnan(got)) continue;
    if (right == got) continue;
    const double unit = std::is_integral_v<T> ? 0 : sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
    if (!(std::fabs(right - got) <= ulps * unit * std::fmax(std::fabs(right), 1e-30)))
      return testing::AssertionFailure() << "element " << i << " of " << n << " is " << got << ", not " << right;
  }
  return testing::AssertionSuccess();
}

}  // namespace runtime_test
