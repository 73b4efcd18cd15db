// The portable logarithm and cosine against the C library's in a wider type, at the ends and in between.

#include "runtime/random/box_muller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "runtime/gs.h"

namespace {

// Uniform draws of T, as integers times 2^-digits: the smallest, the largest, powers of two and their neighbours, many.
template <class T>
std::vector<T> draws() {
  constexpr int digits = std::numeric_limits<T>::digits;
  const T smallest = std::ldexp(T(1), -digits);
  std::vector<T> inputs{0, smallest, 1 - smallest};
  for (int e = 1; e < digits; ++e)
    for (const T near : {-smallest, T(0), smallest}) inputs.push_back(std::ldexp(T(1), -e) + near);
  for (const T near : {-smallest, smallest}) inputs.push_back(std::numbers::sqrt2_v<T> / 2 + near);
  gs::random_state state = gs::random_state_at(1, 0);
  for (int k = 0; k < 100'000; ++k)
    inputs.push_back(std::ldexp(static_cast<T>(gs::next_uint64(state) >> (64 - digits)), -digits));
  return inputs;
}

template <class T>
class portable : public testing::Test {
 protected:
  // The distance from the exact value in units of T's epsilon, relative to `scale`.
  static double error(T computed, long double exact, long double scale) {
    return static_cast<double>(std::abs(static_cast<long double>(computed) - exact) / scale) /
           static_cast<double>(std::numeric_limits<T>::epsilon());
  }
};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(portable, reals);

TYPED_TEST(portable, log_is_within_a_few_units_in_the_last_place) {
  using T = TypeParam;
  EXPECT_EQ(gs::detail::portable_log(T(1)), 0);
  for (const T v : draws<T>()) {
    const long double exact = std::log(static_cast<long double>(1 - v));
    if (exact == 0)
      ASSERT_EQ(gs::detail::portable_log(1 - v), 0);
    else
      ASSERT_LE(this->error(gs::detail::portable_log(1 - v), exact, std::abs(exact)), 2) << v;
  }
}

TYPED_TEST(portable, cos_is_within_a_few_units_in_the_last_place) {
  using T = TypeParam;
  for (const T v : draws<T>()) {
    const long double exact = std::cos(2 * std::numbers::pi_v<long double> * static_cast<long double>(v));
    ASSERT_LE(this->error(gs::detail::portable_cos_turns(v), exact, 1), 2) << v;
  }
  EXPECT_EQ(gs::detail::portable_cos_turns(T(0.25)), 0);
  EXPECT_EQ(gs::detail::portable_cos_turns(T(0.75)), 0);
}

TYPED_TEST(portable, box_muller_is_finite_everywhere) {
  using T = TypeParam;
  const T smallest = std::ldexp(T(1), -std::numeric_limits<T>::digits);
  EXPECT_EQ(gs::detail::box_muller(T(1), T(0)), 0);
  EXPECT_NEAR(gs::detail::box_muller(smallest, T(0)), std::sqrt(-2 * std::log(static_cast<double>(smallest))), 1e-6);
  EXPECT_NEAR(gs::detail::box_muller(smallest, T(0.5)), -std::sqrt(-2 * std::log(static_cast<double>(smallest))), 1e-6);
}

}  // namespace
