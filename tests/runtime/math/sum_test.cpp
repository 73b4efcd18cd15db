// gs::sum against a plain float64 loop.

#include "runtime/math/sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

TEST(sum, agrees_with_a_plain_loop_at_every_size) {
  for (std::size_t n : {0ul, 1ul, 2ul, 31ul, 32ul, 33ul, 63ul, 64ul, 65ul, 1009ul, 100'000ul}) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<float> x(n);
    double expected = 0;
    for (float& v : x) expected += double{v = uniform(random)};
    const float computed = gs::sum(n, [&](std::size_t i) { return x[i]; });
    // Every lane adds n / 32 terms, then come 5 halvings and up to 31 single terms.
    const double steps = static_cast<double>(n / 32 + std::min<std::size_t>(n, 36));
    EXPECT_NEAR(double{computed}, expected, std::numeric_limits<float>::epsilon() / 2.0 * steps * expected) << n;
    EXPECT_EQ(gs::sum(n, [&](std::size_t i) { return i; }), n == 0 ? 0 : n * (n - 1) / 2) << n;
  }
}

// In one lane a float32 stays at 2^24: ones would not be counted beyond 32 * 2^24.
TEST(sum, of_many_terms_loses_no_more_than_of_few) {
  const std::size_t n = 1'000'000'000;
  const float ones = gs::sum(n, [](std::size_t) { return 1.0f; });
  EXPECT_NEAR(double{ones}, 1e9, 1e9 * 1077 * std::numeric_limits<float>::epsilon() / 2);
  const std::size_t large_count = 100'000'007;
  const float tenths = gs::sum(large_count, [](std::size_t i) { return 0.1f + 0.0f * static_cast<float>(i); });
  const double expected = double{0.1f} * static_cast<double>(large_count);
  EXPECT_NEAR(double{tenths}, expected, expected * 648 * std::numeric_limits<float>::epsilon() / 2);
}
TEST(sum, blocks_miss_and_repeat_no_term) {
  for (const std::size_t n : {8191ul, 8192ul, 8193ul, 3 * 8192ul, 3 * 8192ul + 31, 5 * 8192ul + 33, 1'000'003ul}) {
    EXPECT_EQ(gs::sum(n, [](std::size_t i) { return i * i; }), (n - 1) * n * (2 * n - 1) / 6) << n;
  }
}
TEST(sum, of_negative_zeros_is_negative_zero) {
  for (const std::size_t n : {1ul, 2ul, 3ul, 4ul, 5ul, 31ul, 32ul, 33ul, 8193ul, 100'000ul}) {
    const float zero = gs::sum(n, [](std::size_t) { return -0.0f; });
    EXPECT_TRUE(zero == 0 && std::signbit(zero)) << n;
  }
  EXPECT_FALSE(std::signbit(gs::sum(0, [](std::size_t) { return -0.0f; })));
}

// The shares of all threads, whatever the grid: each as its loop has it, and together every index once.
TEST(sum, of_a_grid_stride_loop) {
  for (std::size_t n : {0ul, 1ul, 31ul, 32ul, 33ul, 1009ul, 100'000ul})
    for (std::size_t threads : {1ul, 3ul, 32ul, 1000ul}) {
      std::size_t total = 0;
      for (std::size_t t = 0; t < threads; ++t) {
        const gs::detail::grid_stride_range share(t, threads, n);
        std::size_t looped = 0, count = 0;
        for (std::size_t i : share) {
          ASSERT_EQ(share[count++], i);
          looped += i + 1;
        }
        ASSERT_EQ(share.size(), count);
        ASSERT_EQ(gs::sum(share, [](std::size_t i) { return i + 1; }), looped) << t << " of " << threads << ", " << n;
        total += looped;
      }
      EXPECT_EQ(total, n * (n + 1) / 2) << threads << " threads, " << n;
    }
}

}  // namespace
