// Random numbers by index.

#include "assessments/grader/tasks/counter_random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace counter_random_test {

// Outputs of the authors' splitmix64.c (prng.di.unimi.it) for the seed 1234567, as Rosetta Code's "Pseudo-random
// numbers/Splitmix64" lists them.
TEST(counter_random, is_splitmix64) {
  const std::uint64_t published[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u, 16408922859458223821u};
  for (std::uint64_t i = 0; i < std::size(published); ++i) EXPECT_EQ(grader::random_bits(1234567, i), published[i]);
}

TEST(counter_random, halves_are_uniform_and_do_not_correlate) {
  const std::uint64_t n = 1'000'000;
  double upper = 0, lower = 0, product = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = grader::random_bits(7, i);
    const double u = grader::upper_uniform(bits), l = grader::lower_uniform(bits);
    ASSERT_TRUE(u >= 0 && u < 1 && l >= 0 && l < 1);
    upper += u;
    lower += l;
    product += (u - 0.5) * (l - 0.5);
  }
  // Standard errors: 0.29 and 1/12, over the root of n.
  EXPECT_NEAR(upper / n, 0.5, 5 * 0.29e-3);
  EXPECT_NEAR(lower / n, 0.5, 5 * 0.29e-3);
  EXPECT_NEAR(product / n, 0, 5 * 0.084e-3);
}

TEST(counter_random, normal_numbers_have_mean_0_and_deviation_1) {
  const std::uint64_t n = 1'000'000;
  double sum = 0, squares = 0, beyond_two = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = grader::normal(grader::random_bits(7, i));
    ASSERT_LT(std::abs(x), 5.9);
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2;
  }
  EXPECT_NEAR(sum / n, 0, 5e-3);
  EXPECT_NEAR(squares / n, 1, 8e-3);
  EXPECT_NEAR(beyond_two / n, std::erfc(std::sqrt(2.0)), 1.1e-3);
}

}  // namespace counter_random_test
