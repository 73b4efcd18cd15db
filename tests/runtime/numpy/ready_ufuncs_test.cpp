// The ready ufuncs against the standard library's functions in float64, and against what NumPy says of special numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

using runtime_test::agrees, runtime_test::numbers_between, runtime_test::refused;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

template <class T, class Ufunc, class Reference>
void agrees_at_every_size(const char* name, const Ufunc& ufunc, Reference reference, double low, double high,
                          double ulps) {
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<T>(low, high, n);
    const auto expected = [&](std::size_t i) { return reference(static_cast<double>(x[i])); };
    EXPECT_TRUE(agrees(ufunc(gs::to_device(x)).copy_to_host(), n, expected, ulps)) << name;
  }
}
// Of one number, in float32 and float64.
template <class Ufunc, class Reference>
void unary(const char* name, const Ufunc& ufunc, Reference reference, double low, double high, double ulps = 10) {
  agrees_at_every_size<float>(name, ufunc, reference, low, high, ulps);
  agrees_at_every_size<double>(name, ufunc, reference, low, high, ulps);
}

template <class T, class Ufunc, class Reference>
void binary_of(const char* name, const Ufunc& ufunc, Reference reference, double low, double high, double ulps) {
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<T>(low, high, n), y = numbers_between<T>(high * 0.8, low * 0.9, n);
    const auto expected = [&](std::size_t i) {
      return reference(static_cast<double>(x[i]), static_cast<double>(y[i]));
    };
    EXPECT_TRUE(agrees(ufunc(gs::to_device(x), gs::to_device(y)).copy_to_host(), n, expected, ulps)) << name;
  }
}
template <class Ufunc, class Reference>
void binary(const char* name, const Ufunc& ufunc, Reference reference, double low = -5, double high = 5,
            double ulps = 10) {
  binary_of<float>(name, ufunc, reference, low, high, ulps);
  binary_of<double>(name, ufunc, reference, low, high, ulps);
}
#define UNARY(name, reference, ...) unary(#name, gs::name, [](double x) -> double { return reference; }, __VA_ARGS__)
#define BINARY(name, reference, ...) \
  binary(#name, gs::name, [](double a, double b) -> double { return reference; }, __VA_ARGS__)

template <class T>
std::vector<T> of(const gs::device_array<T>& x) {
  return x.copy_to_host();
}

}  // namespace

TEST(ready_ufuncs, of_one_number_agree_with_the_standard_library) {
  UNARY(negative, -x, -5, 5);
  UNARY(positive, x, -5, 5);
  UNARY(absolute, std::fabs(x), -5, 5);
  UNARY(sign, (x > 0) - (x < 0), -5, 5);
  UNARY(square, x * x, -5, 5);
  UNARY(reciprocal, 1 / x, 0.1, 5);
  UNARY(sqrt, std::sqrt(x), 0, 5);
  UNARY(cbrt, std::cbrt(x), -5, 5);
  UNARY(exp, std::exp(x), -5, 5);
  UNARY(exp2, std::exp2(x), -5, 5);
  UNARY(expm1, std::expm1(x), -5, 5);
  UNARY(log, std::log(x), 1.1, 5);
  UNARY(log2, std::log2(x), 1.1, 5);
  UNARY(log10, std::log10(x), 1.1, 5);
  UNARY(log1p, std::log1p(x), 0.1, 5);
  UNARY(sin, std::sin(x), 0.1, 3);
  UNARY(cos, std::cos(x), -1.5, 1.5);
  UNARY(tan, std::tan(x), -1.5, 1.5);
  UNARY(arcsin, std::asin(x), -1, 1);
  UNARY(arccos, std::acos(x), -1, 0.9);
  UNARY(arctan, std::atan(x), -5, 5);
  UNARY(sinh, std::sinh(x), -5, 5);
  UNARY(cosh, std::cosh(x), -5, 5);
  UNARY(tanh, std::tanh(x), -5, 5);
  UNARY(arcsinh, std::asinh(x), -5, 5);
  UNARY(arccosh, std::acosh(x), 1.1, 5);
  UNARY(arctanh, std::atanh(x), -0.9, 0.9);
  UNARY(floor, std::floor(x), -5, 5);
  UNARY(ceil, std::ceil(x), -5, 5);
  UNARY(trunc, std::trunc(x), -5, 5);
  UNARY(rint, std::nearbyint(x), -5, 5);
  UNARY(deg2rad, x * std::numbers::pi / 180, -500, 500);
  UNARY(rad2deg, x * 180 / std::numbers::pi, -5, 5);
}

TEST(ready_ufuncs, of_two_numbers_agree_with_the_standard_library) {
  BINARY(add, a + b, 1, 5);
  BINARY(subtract, a - b, -5, -3, 100);
  BINARY(multiply, a * b, -5, 5);
  BINARY(divide, a / b, 1, 5);
  BINARY(maximum, std::fmax(a, b), -5, 5);
  BINARY(minimum, std::fmin(a, b), -5, 5);
  BINARY(fmax, std::fmax(a, b), -5, 5);
  BINARY(fmin, std::fmin(a, b), -5, 5);
  BINARY(fmod, std::fmod(a, b), 1, 5, 0);
  BINARY(power, std::pow(a, b), 0.5, 5, 20);
  BINARY(hypot, std::hypot(a, b), -5, 5);
  BINARY(arctan2, std::atan2(a, b), -5, 5);
  BINARY(copysign, std::copysign(a, b), -5, 5);
  BINARY(logaddexp, std::log(std::exp(a) + std::exp(b)), 1, 5);
  BINARY(heaviside, a < 0 ? 0 : a > 0 ? 1 : b, -5, 5);
}

TEST(ready_ufuncs, keep_the_type_of_integers) {
  const auto x = gs::to_device(std::vector<std::int8_t>{100, -100, 7});
  static_assert(std::is_same_v<decltype(gs::add(x, x)), gs::device_array<std::int8_t>>);
  EXPECT_EQ(of(gs::add(x, x)), (std::vector<std::int8_t>{-56, 56, 14}));
  EXPECT_EQ(of(gs::absolute(x)), (std::vector<std::int8_t>{100, 100, 7}));
  EXPECT_EQ(of(gs::sign(x)), (std::vector<std::int8_t>{1, -1, 1}));
  EXPECT_EQ(of(gs::square(gs::to_device(std::vector<int>{-3, 4}))), (std::vector<int>{9, 16}));
}

TEST(ready_ufuncs, divide_integers_as_python_does) {
  const std::vector<int> a{7, -7, 7, -7, 6, -6, 0}, b{2, 2, -2, -2, 3, 3, 5};
  EXPECT_EQ(gs::floor_divide(a, b), (std::vector<int>{3, -4, -4, 3, 2, -2, 0}));
  EXPECT_EQ(gs::remainder(a, b), (std::vector<int>{1, 1, -1, -1, 0, 0, 0}));
  EXPECT_EQ(gs::fmod(a, b), (std::vector<int>{1, -1, 1, -1, 0, 0, 0}));
  EXPECT_EQ(gs::floor_divide(7u, 2u), 3u);
  EXPECT_EQ(gs::remainder(7u, 2u), 1u);
#if !defined(__SANITIZE_ADDRESS__)  // the sanitizers report it first
  EXPECT_TRUE(refused([&] { gs::floor_divide.on(gs::target::cpu)(a, 0); }, {"floor_divide", "zero"}));
#endif
}

// The values are NumPy's: numpy.floor_divide, numpy.remainder.
TEST(ready_ufuncs, divide_floats_as_python_does) {
  const std::vector<double> a{7, -7, 7, -7, 1, -1, infinity, 5.5, not_a_number},
      b{2, 2, -2, -2, infinity, infinity, 2, 0.1, 1};
  EXPECT_TRUE(agrees(
      gs::floor_divide(a, b), a.size(),
      [](std::size_t i) { return std::vector<double>{3, -4, -4, 3, 0, -1, not_a_number, 54, not_a_number}[i]; }, 0));
  EXPECT_TRUE(agrees(
      gs::remainder(a, b), a.size(),
      [](std::size_t i) {
        return std::vector<double>{1, 1, -1, -1, 1, infinity, not_a_number, 5.5 - 54 * 0.1, not_a_number}[i];
      },
      1e3));
  EXPECT_EQ(gs::floor_divide(1.0, 0.0), infinity);
  EXPECT_TRUE(std::signbit(gs::remainder(-6.0, -3.0)));
}

TEST(ready_ufuncs, extremes_pass_nan_on_or_leave_it_out) {
  const std::vector<double> a{1, not_a_number, not_a_number}, b{not_a_number, 2, not_a_number};
  EXPECT_TRUE(agrees(gs::maximum(a, b), 3, [](std::size_t) { return not_a_number; }, 0));
  EXPECT_TRUE(agrees(gs::minimum(a, b), 3, [](std::size_t) { return not_a_number; }, 0));
  EXPECT_TRUE(agrees(gs::fmax(a, b), 3, [](std::size_t i) { return std::vector<double>{1, 2, not_a_number}[i]; }, 0));
  EXPECT_TRUE(agrees(gs::fmin(a, b), 3, [](std::size_t i) { return std::vector<double>{1, 2, not_a_number}[i]; }, 0));
  EXPECT_TRUE(std::isnan(gs::sign(not_a_number)));
  EXPECT_TRUE(std::isnan(gs::clip(not_a_number, 0.0, 1.0)));
  EXPECT_TRUE(std::isnan(gs::clip(0.5, not_a_number, 1.0)));
  EXPECT_TRUE(std::isnan(gs::clip(0.5, 0.0, not_a_number)));
  EXPECT_EQ(gs::clip(std::vector<int>{-5, 3, 50}, 0, 10), (std::vector<int>{0, 3, 10}));
  EXPECT_EQ(gs::heaviside(0.0, 0.5), 0.5);
}

TEST(ready_ufuncs, compare_and_choose) {
  using truths = std::vector<gs::truth>;
  const std::vector<float> x{-1, 0, 2}, y{0, 0, 1};
  EXPECT_EQ(gs::equal(x, y), (truths{0, 1, 0}));
  EXPECT_EQ(gs::not_equal(x, y), (truths{1, 0, 1}));
  EXPECT_EQ(gs::less(x, y), (truths{1, 0, 0}));
  EXPECT_EQ(gs::less_equal(x, y), (truths{1, 1, 0}));
  EXPECT_EQ(gs::greater(x, y), (truths{0, 0, 1}));
  EXPECT_EQ(gs::greater_equal(x, y), (truths{0, 1, 1}));
  EXPECT_EQ(gs::logical_and(x, y), (truths{0, 0, 1}));
  EXPECT_EQ(gs::logical_or(x, y), (truths{1, 0, 1}));
  EXPECT_EQ(gs::logical_xor(x, y), (truths{1, 0, 0}));
  EXPECT_EQ(gs::logical_not(x), (truths{0, 1, 0}));
  EXPECT_EQ(gs::where(gs::less(x, 0.0f), 0.0f, x), (std::vector<float>{0, 0, 2}));
  const std::vector<double> special{not_a_number, -infinity, -0.0, 1};
  EXPECT_EQ(gs::isnan(special), (truths{1, 0, 0, 0}));
  EXPECT_EQ(gs::isinf(special), (truths{0, 1, 0, 0}));
  EXPECT_EQ(gs::isfinite(special), (truths{0, 0, 1, 1}));
  EXPECT_EQ(gs::signbit(std::vector<double>{-infinity, -0.0, 1}), (truths{1, 1, 0}));
}

TEST(ready_ufuncs, work_on_bits_and_divisors) {
  const std::vector<int> a{12, -18, 0, 7}, b{10, 12, 5, 0};
  EXPECT_EQ(gs::bitwise_and(a, b), (std::vector<int>{8, -18 & 12, 0, 0}));
  EXPECT_EQ(gs::bitwise_or(a, b), (std::vector<int>{14, -18 | 12, 5, 7}));
  EXPECT_EQ(gs::bitwise_xor(a, b), (std::vector<int>{6, -18 ^ 12, 5, 7}));
  EXPECT_EQ(gs::invert(a), (std::vector<int>{-13, 17, -1, -8}));
  EXPECT_EQ(gs::gcd(a, b), (std::vector<int>{2, 6, 5, 7}));
  EXPECT_EQ(gs::lcm(a, b), (std::vector<int>{60, 36, 0, 0}));
  constexpr int lowest = std::numeric_limits<int>::min();
  EXPECT_EQ(gs::gcd(std::vector<int>{-1, lowest, lowest, 0}, std::vector<int>{lowest, -1, 6, lowest}),
            (std::vector<int>{1, 1, 2, lowest}));
  EXPECT_EQ(gs::lcm(std::vector<int>{-1, lowest, lowest + 1}, std::vector<int>{lowest, 0, -2}),
            (std::vector<int>{lowest, 0, -2}));  // what doesn't fit wraps, as NumPy's
  EXPECT_EQ(gs::left_shift(1, 31), std::numeric_limits<int>::min());
  EXPECT_EQ(gs::left_shift(1, 32), 0);
  EXPECT_EQ(gs::right_shift(-8, 1), -4);
  EXPECT_EQ(gs::right_shift(-8, 40), -1);
}

TEST(ready_ufuncs, broadcast_and_reduce_as_others_do) {
  const auto x = gs::to_device(std::vector<float>{1, 2, 3}).reshape({3, 1}),
             y = gs::to_device(std::vector<float>{10, 20});
  EXPECT_EQ(gs::to_string(gs::add(x, y).shape()), "(3, 2)");
  EXPECT_EQ(of(gs::add(x, y)), (std::vector<float>{11, 21, 12, 22, 13, 23}));
  EXPECT_EQ(of(gs::add.reduce(gs::add(x, y), gs::axis(0))), (std::vector<float>{36, 66}));
  EXPECT_EQ(gs::multiply.outer(std::vector<int>{1, 2}, std::vector<int>{3, 4}), (std::vector<int>{3, 4, 6, 8}));
}

#if !defined(__CUDACC__)  // which hands g++ an object among template arguments of a call as a name that isn't declared
TEST(function_objects, are_ufuncs_with_the_types_they_can_be_called_with) {
  static_assert(gs::detail::signature<gs::detail::function_for<gs::scalar_functions::add{}, float, float>()>::arity ==
                2);
  const std::string text =
      gs::detail::signature<gs::detail::function_for<gs::scalar_functions::add{}, float, float>()>::text();
  EXPECT_TRUE(text.ends_with("scalar_functions::add(float32, float32) -> float32")) << text;
}
#endif
