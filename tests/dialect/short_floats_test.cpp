// Numbers of 16 bits, compared with every one of them.

#include "dialect/language/short_floats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace short_floats_test {
namespace {

// By a search among all numbers of the format, which rise with their bits: the nearest, of two as near the even one.
template <int Mantissa>
std::uint16_t nearest(double x) {
  using format = dialect::short_format<Mantissa>;
  const double size = std::fabs(x);
  unsigned low = 0, high = format::infinity;  // low <= size < high
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (double{format::to_float(static_cast<std::uint16_t>(middle))} <= size ? low : high) = middle;
  }
  // Beyond the largest number the next one would be, infinity counts as that.
  const double below = format::to_float(static_cast<std::uint16_t>(low));
  const double above = high == format::infinity ? 2 * below - format::to_float(static_cast<std::uint16_t>(low - 1))
                                                : format::to_float(static_cast<std::uint16_t>(high));
  const double down = size - below, up = above - size;
  const unsigned found = down < up || (down == up && low % 2 == 0) ? low : high;
  return static_cast<std::uint16_t>(found | (std::signbit(x) ? 0x8000 : 0));
}

template <int Mantissa, class Format>
void check_every_number() {
  for (unsigned b = 0; b < 65536; ++b) {
    const auto bits = static_cast<std::uint16_t>(b);
    const float x = Format::to_float(bits);
    const float plain = dialect::short_format<Mantissa>::to_float(bits);
    if (x != x) {
      EXPECT_NE(plain, plain) << b;
      EXPECT_EQ(Format::from(x), 0x7fff);
      continue;
    }
    ASSERT_EQ(x, plain) << b;
    ASSERT_EQ(Format::from(x), bits);
    ASSERT_EQ(Format::from(double{x}), bits);
  }
}

template <int Mantissa, class Format>
void check_rounding() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-30, 17);
  for (int k = 0; k < 20000; ++k) {
    const auto x = static_cast<float>(std::exp2(exponent(random)) * (k % 2 ? 1 : -1));
    ASSERT_EQ(Format::from(double{x}), nearest<Mantissa>(double{x})) << x;
    ASSERT_EQ(Format::from(x), nearest<Mantissa>(double{x})) << x;
  }
  // Half-way between two.
  for (std::uint16_t bits = 0; bits < Format::infinity - 1; bits = static_cast<std::uint16_t>(bits + 7)) {
    const double middle = (double{Format::to_float(bits)} + double{Format::to_float(bits + 1)}) / 2;
    ASSERT_EQ(Format::from(middle), nearest<Mantissa>(middle)) << bits;
  }
}

}  // namespace

TEST(short_floats, come_back_from_float) {
  check_every_number<10, dialect::half_format>();
  check_every_number<7, dialect::bfloat16_format>();
}

TEST(short_floats, are_the_nearest_and_even_ones) {
  check_rounding<10, dialect::half_format>();
  check_rounding<7, dialect::bfloat16_format>();
}

TEST(short_floats, know_the_largest_and_the_smallest) {
  using half = dialect::half_format;
  EXPECT_EQ(half::from(65504.0f), 0x7bff);
  EXPECT_EQ(half::from(65519.99), 0x7bff);
  EXPECT_EQ(half::from(65520.0), 0x7c00);
  EXPECT_EQ(half::from(-1e30), 0xfc00);
  EXPECT_EQ(half::from(std::ldexp(1.0, -24)), 1);
  EXPECT_EQ(half::from(std::ldexp(1.0, -25)), 0);
  EXPECT_EQ(half::from(std::ldexp(1.5, -25)), 1);
  EXPECT_EQ(half::from(-0.0), 0x8000);
}

}  // namespace short_floats_test
