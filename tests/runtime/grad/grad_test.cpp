// Derivatives of scalar functions: analytic values, finite differences, and random compositions of functions.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/grad/check_gradient.h"
#include "runtime/grad/grad.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

struct bell {
  template <class T>
  GS_FN T operator()(T x, T width) const {
    using std::exp;
    return exp(-x * x / width);
  }
};
double bell_by_x(double x, double w) { return -2 * x / w * std::exp(-x * x / w); }
double bell_by_width(double x, double w) { return x * x / (w * w) * std::exp(-x * x / w); }
double bell_twice_by_x(double x, double w) { return (4 * x * x / (w * w) - 2 / w) * std::exp(-x * x / w); }

struct bent {
  template <class T>
  GS_FN T operator()(T x) const {
    if (x < 1) return 2 * x;
    return x * x + 1;
  }
};
struct two_to_the_square {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::pow;
    return pow(T(2), x * x);
  }
};
struct cube_root_of_eight_times {
  template <class T>
  GS_FN T operator()(T x) const {
    return 3 * x - x / 2 + 1;
  }
};

using runtime_test::agrees, runtime_test::numbers_between;

template <class T>
void agrees_on_every_target() {
  const double ulps = 40;
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<T>(-2, 2, n), w = numbers_between<T>(1, 3, n);
    const auto at = [&](auto f) {
      return [&, f](std::size_t i) { return f(static_cast<double>(x[i]), static_cast<double>(w[i])); };
    };
    // An error relative to 1: a difference of products has fewer digits near its zeros.
    const auto near = [&](const std::vector<T>& computed, auto f) {
      std::vector<T> moved(computed);
      for (T& v : moved) v += 8;
      return agrees(moved, n, [&](std::size_t i) { return f(i) + 8; }, ulps);
    };
    for (gs::target target : runtime_test::all_targets) {
      EXPECT_TRUE(near(gs::grad<bell{}>.on(target)(x, w), at(bell_by_x)));
      EXPECT_TRUE(near((gs::grad<bell{}, 1>.on(target)(x, w)), at(bell_by_width)));
      EXPECT_TRUE(near(gs::grad<gs::grad<bell{}>>.on(target)(x, w), at(bell_twice_by_x)));
      const auto [by_x, by_width] = gs::grad<bell{}, 0, 1>.on(target)(x, w);
      EXPECT_TRUE(near(by_x, at(bell_by_x)));
      EXPECT_TRUE(near(by_width, at(bell_by_width)));
      const auto [value, slope] = gs::value_and_grad<bell{}, 1>.on(target)(x, w);
      EXPECT_TRUE(near(value, at(bell())));
      EXPECT_TRUE(near(slope, at(bell_by_width)));
    }
  }
}

// --- random compositions ---------------------------------------------------------------------------------------------

// Thirty functions, tamed so that no composition leaves the numbers' range.
constexpr std::size_t unary_count = 24, function_count = 30;
template <class T>
T call(std::size_t function, T a, T b) {
  using std::acosh, std::asin, std::asinh, std::atan, std::atanh, std::cbrt, std::cos, std::cosh, std::erf, std::exp,
      std::exp2, std::expm1, std::log, std::log10, std::log1p, std::log2, std::sin, std::sinh, std::sqrt, std::tan,
      std::tanh, std::acos, std::pow, std::hypot, std::atan2;
  const auto small = [](T x) { return x / sqrt(1 + x * x); };  // within (-1, 1)
  switch (function) {
    case 0:
      return sin(a);
    case 1:
      return cos(a);
    case 2:
      return tan(small(a));
    case 3:
      return asin(0.9 * small(a));
    case 4:
      return acos(0.9 * small(a));
    case 5:
      return atan(a);
    case 6:
      return sinh(small(a));
    case 7:
      return cosh(small(a));
    case 8:
      return tanh(a);
    case 9:
      return asinh(a);
    case 10:
      return acosh(1.5 + a * a);
    case 11:
      return atanh(0.9 * small(a));
    case 12:
      return exp(small(a));
    case 13:
      return exp2(small(a));
    case 14:
      return expm1(small(a));
    case 15:
      return log(1 + a * a);
    case 16:
      return log2(1 + a * a);
    case 17:
      return log10(1 + a * a);
    case 18:
      return log1p(a * a);
    case 19:
      return sqrt(1 + a * a);
    case 20:
      return cbrt(2 + small(a));
    case 21:
      return erf(a);
    case 22:
      return -a;
    case 23:
      return 1 / (1 + a * a);
    case 24:
      return a + b;
    case 25:
      return a - b;
    case 26:
      return small(a) * b;
    case 27:
      return a / (1 + b * b);
    case 28:
      return hypot(a, 1 + b * b);
    default:
      return atan2(a, 1 + b * b) + pow(1 + a * a, small(b));
  }
}

// A composition: each step calls a function of two earlier results, of which the first two are the variables.
struct composition {
  struct step {
    std::size_t function, a, b;
  };
  std::vector<step> steps;

  template <class T>
  T operator()(T x, T y) const {
    std::vector<T> result{x, y};
    for (const step& s : steps) result.push_back(call(s.function, result[s.a], result[s.b]));
    return result.back();
  }
};

}  // namespace

TEST(grad, agrees_with_the_analytic_derivatives_on_every_target) {
  agrees_on_every_target<float>();
  agrees_on_every_target<double>();
}

TEST(grad, of_scalars_is_a_number) {
  EXPECT_DOUBLE_EQ(gs::grad<bell{}>(0.5, 2.0), bell_by_x(0.5, 2.0));
  static_assert(std::is_same_v<decltype(gs::grad<bell{}>(0.5f, 2.0f)), float>);
}

TEST(grad, broadcasts_and_stays_on_the_device) {
  const auto x = gs::to_device(std::vector<float>{0, 1}).reshape({2, 1}),
             w = gs::to_device(std::vector<float>{1, 2, 4});
  const gs::ledger_scope scope;
  const auto [by_x, by_width] = gs::grad<bell{}, 0, 1>(x, w);
  EXPECT_EQ(scope.account().launches, 1u);
  EXPECT_EQ(scope.account().copies_to_host, 0u);
  EXPECT_EQ(gs::to_string(by_x.shape()), "(2, 3)");
  EXPECT_NEAR(by_width.copy_to_host()[5], bell_by_width(1, 4), 1e-6);
}

TEST(grad, takes_the_way_of_an_if) {
  const std::vector<double> x{0.5, 1, 3};
  EXPECT_EQ(gs::grad<bent{}>(x), (std::vector<double>{2, 2, 6}));
}

TEST(grad, mixes_numbers_as_the_type_does) {
  EXPECT_EQ(gs::grad<cube_root_of_eight_times{}>(7.0f), 2.5f);
  static_assert(std::is_invocable_v<cube_root_of_eight_times, gs::dual<float>>);
  static_assert(!std::is_convertible_v<double, gs::dual<float>>);
  static_assert(std::is_convertible_v<float, gs::dual<double>>);
}

// Values of x at which no function here has a corner.
TEST(grad, of_the_ready_ufuncs_agrees_with_differences){
#define CHECKED(function, ...)                                                                                \
  {                                                                                                           \
    const gs::gradient_check check = gs::check_gradient<gs::function>(__VA_ARGS__);                           \
    EXPECT_TRUE(check.agrees(1e-8)) << #function << ": " << check.derivative << ", not " << check.difference; \
  }
    CHECKED(add, 0.4, 1.7) CHECKED(subtract, 0.4, 1.7) CHECKED(multiply, 0.4, 1.7) CHECKED(divide, 0.4, 1.7)
        CHECKED(power, 0.4, 1.7) CHECKED(hypot, 0.4, -1.7) CHECKED(arctan2, 0.4, -1.7) CHECKED(logaddexp, 0.4, 1.7)
            CHECKED(maximum, 0.4, 1.7) CHECKED(minimum, 0.4, 1.7) CHECKED(fmax, 0.4, 1.7) CHECKED(fmin, 0.4, 1.7)
                CHECKED(copysign, 0.4, -1.7) CHECKED(clip, 0.4, 0.1, 0.7) CHECKED(clip, 1.4, 0.1, 0.7)
                    CHECKED(negative, 0.4) CHECKED(absolute, -0.4) CHECKED(sign, 0.4) CHECKED(square, 0.4)
                        CHECKED(reciprocal, 0.4) CHECKED(sqrt, 0.4) CHECKED(cbrt, 0.4) CHECKED(exp, 0.4)
                            CHECKED(exp2, 0.4) CHECKED(expm1, 0.4) CHECKED(log, 0.4) CHECKED(log2, 0.4)
                                CHECKED(log10, 0.4) CHECKED(log1p, 0.4) CHECKED(sin, 0.4) CHECKED(cos, 0.4)
                                    CHECKED(tan, 0.4) CHECKED(arcsin, 0.4) CHECKED(arccos, 0.4) CHECKED(arctan, 0.4)
                                        CHECKED(sinh, 0.4) CHECKED(cosh, 0.4) CHECKED(tanh, 0.4) CHECKED(arcsinh, 0.4)
                                            CHECKED(arccosh, 1.4) CHECKED(arctanh, 0.4) CHECKED(floor, 0.4)
                                                CHECKED(rint, 0.4) CHECKED(deg2rad, 0.4) CHECKED(rad2deg, 0.4)
#undef CHECKED
}

TEST(grad, of_a_power_of_a_negative_number_is_one) {
  EXPECT_DOUBLE_EQ(gs::grad<gs::power>(-2.0, 3.0), 12);
  EXPECT_DOUBLE_EQ(gs::grad<gs::power>(0.0, 1.0), 1);
}

// Where the exponent, or its slope, passes through 0.
TEST(grad, of_a_power_knows_a_zero_that_varies) {
  EXPECT_DOUBLE_EQ((gs::grad<gs::grad<gs::power>, 1>(2.0, 0.0)), 0.5);  // of y x^(y - 1), by y
  EXPECT_DOUBLE_EQ((gs::grad<gs::grad<gs::power, 1>>(2.0, 0.0)), 0.5);  // of x^y log(x), by x
  EXPECT_DOUBLE_EQ(gs::grad<gs::grad<two_to_the_square{}>>(0.0), 2 * std::numbers::ln2);
  EXPECT_DOUBLE_EQ(gs::grad<gs::grad<gs::power>>(-2.0, 3.0), -12);
  EXPECT_DOUBLE_EQ(gs::grad<gs::grad<gs::power>>(0.0, 1.0), 0);
}

TEST(check_gradient, finds_a_wrong_derivative) {
  EXPECT_FALSE(gs::check_gradient<bent{}>(1.0).agrees());  // at the jump
  EXPECT_TRUE(gs::check_gradient<bent{}>(1.1).agrees());
}

TEST(grad, of_random_compositions_agrees_with_differences) {
  std::mt19937_64 random(25);
  const auto random_below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t compared = 0;
  std::vector<int> used(function_count);
  for (int round = 0; round < 2000; ++round) {
    composition f;
    const std::size_t length = 1 + random_below(6);
    for (std::size_t k = 0; k < length; ++k)
      f.steps.push_back(
          {random_below(function_count), k == 0 ? random_below(2) : k + 1 - random_below(2), random_below(k + 2)});
    const double x = static_cast<double>(random_below(2000)) / 1000 - 1.0005,
                 y = static_cast<double>(random_below(2000)) / 1000 - 0.9995;
    using number = gs::dual<double, 2>;
    number dual_x(x), dual_y(y);
    dual_x.tangent[0] = 1;
    dual_y.tangent[1] = 1;
    const number computed = f(dual_x, dual_y);
#if defined(__clang__)  // makes one rounding of a product and a sum where one expression holds both, not elsewhere
    EXPECT_NEAR(computed.value, f(x, y), 1e-14 * std::fmax(1, std::fabs(computed.value)));
#else
    EXPECT_DOUBLE_EQ(computed.value, f(x, y));
#endif
    const double by_x = gs::detail::central_difference([&](double moved) { return f(moved, y); }, x);
    const double by_y = gs::detail::central_difference([&](double moved) { return f(x, moved); }, y);
    EXPECT_NEAR(computed.tangent[0], by_x, 2e-7 * std::fmax(1, std::fabs(by_x))) << "round " << round;
    EXPECT_NEAR(computed.tangent[1], by_y, 2e-7 * std::fmax(1, std::fabs(by_y))) << "round " << round;
    for (const auto& step : f.steps) ++used[step.function];
    ++compared;
  }
  EXPECT_EQ(compared, 2000u);
  for (int count : used) EXPECT_GT(count, 20);
}

// d^2/dxdy of x^2 y^3 by dual numbers of dual numbers: 2 x 3 y^2.
TEST(dual, of_dual_numbers_has_mixed_derivatives) {
  using inner = gs::dual<double>;
  using outer = gs::dual<inner>;
  inner x_value(3.0), y_value(2.0);
  x_value.tangent[0] = 1;
  outer x(x_value), y(y_value);
  y.tangent[0] = 1;
  const outer product = x * x * y * y * y;
  EXPECT_DOUBLE_EQ(product.value.value, 72);
  EXPECT_DOUBLE_EQ(product.tangent[0].tangent[0], 72);
}
