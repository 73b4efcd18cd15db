// Draws: ranges, moments, fairness, and what strict mode promises.

#include "runtime/random/draw.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "runtime/gs.h"

namespace {

// A state whose next raw draw is `raw`: the draw is the sum of the two words.
gs::random_state state_before(std::uint64_t raw) { return {raw - 1, 1}; }

TEST(strict_draws, stay_below_1) {
  for (const std::uint64_t raw :
       {std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0} << 39, std::uint64_t{1} << 63}) {
    gs::random_state single = state_before(raw), wide = state_before(raw);
    const float f = gs::uniform_float32(single, gs::strict);
    EXPECT_EQ(f, static_cast<float>(raw >> 40) / 16777216);
    EXPECT_LT(f, 1);
    const double d = gs::uniform_float64(wide);
    EXPECT_EQ(d, std::ldexp(static_cast<double>(raw >> 11), -53));
    EXPECT_LT(d, 1);
  }
  gs::random_state state = state_before(~std::uint64_t{0});
  EXPECT_EQ(gs::uniform_float32(state), 1);  // Numba's
}

TEST(strict_draws, are_finite_where_numbas_are_infinite) {
  gs::random_state state = state_before(0);
  EXPECT_TRUE(std::isinf(gs::normal_float32(state)));
  state = state_before(0);
  EXPECT_TRUE(std::isinf(gs::normal_float64(state)));
  for (const std::uint64_t raw : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    gs::random_state single = state_before(raw), wide = state_before(raw);
    EXPECT_LE(std::abs(gs::normal_float32(single, gs::strict)), 5.8f);
    EXPECT_LE(std::abs(gs::normal_float64(wide, gs::strict)), 8.6);
  }
}

TEST(strict_draws, of_normals_are_box_and_mullers) {
  gs::random_state state = gs::random_state_at(5, 0, gs::strict);
  for (int k = 0; k < 1000; ++k) {
    gs::random_state raw = state, single = state;
    const double u = 1 - std::ldexp(static_cast<double>(gs::next_uint64(raw) >> 11), -53);
    const double v = std::ldexp(static_cast<double>(gs::next_uint64(raw) >> 11), -53);
    const double expected = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
    const double root = std::sqrt(-2 * std::log(u));
    EXPECT_NEAR(gs::normal_float64(state, gs::strict), expected, 1e-15 * root) << k;
    EXPECT_NEAR(gs::normal_float32(single, gs::strict), expected, 1e-5 * (1 + root)) << k;  // its draws have 24 bits
    EXPECT_EQ(state, raw);
    EXPECT_EQ(single, raw);
  }
}

struct moments {
  double mean, variance, fourth;
};
template <class Draw>
moments moments_of(int n, Draw draw) {
  gs::random_state state = gs::random_state_at(11, 3);
  double sum = 0, squares = 0, fourths = 0;
  for (int k = 0; k < n; ++k) {
    const double x = draw(state);
    sum += x, squares += x * x, fourths += x * x * x * x;
  }
  return {sum / n, squares / n - sum / n * (sum / n), fourths / n};
}

// Five standard errors of each estimate.
TEST(draws, have_the_moments_of_their_distribution) {
  constexpr int n = 1'000'000;
  const double error = 5 / std::sqrt(n);
  const auto uniform = [&](auto draw) {
    const moments m = moments_of(n, draw);
    EXPECT_NEAR(m.mean, 0.5, error * std::sqrt(1.0 / 12));
    EXPECT_NEAR(m.variance, 1.0 / 12, error * std::sqrt(1.0 / 180));
  };
  const auto normal = [&](auto draw) {
    const moments m = moments_of(n, draw);
    EXPECT_NEAR(m.mean, 0, error);
    EXPECT_NEAR(m.variance, 1, error * std::sqrt(2.0));
    EXPECT_NEAR(m.fourth, 3, error * std::sqrt(96.0));
  };
  uniform([](gs::random_state& s) { return gs::uniform_float32(s); });
  uniform([](gs::random_state& s) { return gs::uniform_float32(s, gs::strict); });
  uniform([](gs::random_state& s) { return gs::uniform_float64(s); });
  normal([](gs::random_state& s) { return gs::normal_float32(s); });
  normal([](gs::random_state& s) { return gs::normal_float32(s, gs::strict); });
  normal([](gs::random_state& s) { return gs::normal_float64(s); });
  normal([](gs::random_state& s) { return gs::normal_float64(s, gs::strict); });
}

TEST(uniform_integer, stays_in_its_range_and_reaches_both_ends) {
  gs::random_state state = gs::random_state_at(1, 0);
  const auto check = [&]<class T>(T low, T high) {
    bool first = false, last = false;
    for (int k = 0; k < 10'000; ++k) {
      const T x = gs::uniform_integer(state, low, high);
      ASSERT_GE(x, low);
      ASSERT_LE(x, high);
      first |= x == low, last |= x == high;
    }
    EXPECT_TRUE(first && last) << +low << " to " << +high;
  };
  check(0, 0);
  check(-3, 3);
  check(std::int8_t{-128}, std::int8_t{127});
  check(std::uint8_t{0}, std::uint8_t{255});
  check(std::numeric_limits<int>::max() - 1, std::numeric_limits<int>::max());
  check(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min() + 100);
  check(std::numeric_limits<std::uint64_t>::max() - 100, std::numeric_limits<std::uint64_t>::max());
}

TEST(uniform_integer, is_a_raw_draw_over_all_64_bits) {
  gs::random_state state = gs::random_state_at(1, 0), raw = state;
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t bits = gs::next_uint64(raw);
    gs::random_state copy = state;
    EXPECT_EQ(gs::uniform_integer(state, std::uint64_t{0}, ~std::uint64_t{0}), bits);
    EXPECT_EQ(
        gs::uniform_integer(copy, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()),
        static_cast<std::int64_t>(bits ^ std::uint64_t{1} << 63));
  }
}

// 3/4 of 2^64 doesn't divide 2^64: without the draws that are thrown away every third value would come twice as often.
TEST(uniform_integer, is_fair_where_the_range_does_not_divide_the_draws) {
  constexpr std::uint64_t count = std::uint64_t{3} << 62;
  gs::random_state state = gs::random_state_at(9, 0);
  constexpr int n = 300'000;
  std::array<int, 3> by_remainder{};
  for (int k = 0; k < n; ++k) ++by_remainder[gs::uniform_integer(state, std::uint64_t{0}, count - 1) % 3];
  for (const int seen : by_remainder) EXPECT_NEAR(seen, n / 3, 5 * std::sqrt(n * 2.0 / 9));
}

TEST(uniform_integer, of_an_empty_range_is_its_beginning) {
  gs::random_state state = gs::random_state_at(1, 0);
  const gs::random_state unchanged = state;
  EXPECT_EQ(gs::uniform_integer(state, 5, 4), 5);
  EXPECT_EQ(state, unchanged);
}

}  // namespace
