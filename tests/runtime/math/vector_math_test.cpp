// The vectorised functions of libmvec against double precision: at most 4 units in the last place apart (glibc manual).

#include "runtime/math/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

// The distance of `computed` from `exact` in units of float's last place at `exact`.
double ulps(float computed, double exact) {
  if (std::isnan(exact)) return std::isnan(computed) ? 0 : std::numeric_limits<double>::infinity();
  const auto nearest = static_cast<float>(exact);
  if (computed == nearest) return 0;
  if (std::isinf(computed) || std::isinf(nearest)) return std::numeric_limits<double>::infinity();
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::abs(double{computed} - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

// `count` values from `low` to `high`, and the two ends.
std::vector<float> spread(float low, float high) {
  constexpr std::size_t count = 100'003;
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>(double{low} + (double{high} - double{low}) * static_cast<double>(i) / (count - 1));
  return x;
}

template <auto F, auto Reference>
void expect_within_4_ulps(float low, float high) {
  const auto x = spread(low, high);
  for (gs::target target : runtime_test::all_targets) {
    const auto y = gs::vectorize<F>.on(target)(x);
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const double distance = ulps(y[i], Reference(double{x[i]})); distance > worst) worst = distance, at = x[i];
    EXPECT_LE(worst, 4.0) << "at " << at << " on " << to_string(target);
  }
}

#define FUNCTION(name, low, high)                            \
  GS_FN float name##_float(float x) { return std::name(x); } \
  double name##_double(double x) { return std::name(x); }    \
  TEST(vector_math, name) { expect_within_4_ulps<name##_float, name##_double>(low, high); }

FUNCTION(sin, -1000.0f, 1000.0f)
FUNCTION(cos, -1000.0f, 1000.0f)
FUNCTION(tan, -100.0f, 100.0f)
FUNCTION(exp, -87.0f, 88.5f)
FUNCTION(exp2, -125.0f, 127.5f)
FUNCTION(expm1, -20.0f, 88.0f)
FUNCTION(log, 1e-30f, 1e6f)
FUNCTION(log2, 1e-30f, 1e6f)
FUNCTION(log10, 1e-30f, 1e6f)
FUNCTION(log1p, -0.99f, 1e6f)
FUNCTION(tanh, -10.0f, 10.0f)
FUNCTION(sinh, -80.0f, 80.0f)
FUNCTION(cosh, -80.0f, 80.0f)
FUNCTION(asin, -1.0f, 1.0f)
FUNCTION(acos, -1.0f, 1.0f)
FUNCTION(atan, -100.0f, 100.0f)
FUNCTION(asinh, -100.0f, 100.0f)
FUNCTION(acosh, 1.0f, 1000.0f)
FUNCTION(atanh, -0.999f, 0.999f)
FUNCTION(cbrt, -1000.0f, 1000.0f)
FUNCTION(erf, -4.0f, 4.0f)
FUNCTION(sqrt, 0.0f, 1e6f)
#undef FUNCTION

// Both numbers are computed, and either comes back.
GS_FN float sine_or_cosine(float x, std::int32_t sine) {
  const auto [s, c] = gs::sin_cos(x);
  return sine == 1 ? s : c;
}

TEST(vector_math, sine_and_cosine_at_once) {
  const auto x = spread(-1000.0f, 1000.0f);
  for (gs::target target : runtime_test::all_targets)
    for (const std::int32_t sine : {0, 1}) {
      const auto y = gs::vectorize<sine_or_cosine>.on(target)(x, sine);
      double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, ulps(y[i], sine == 1 ? std::sin(double{x[i]}) : std::cos(double{x[i]})));
      EXPECT_LE(worst, 4.0) << to_string(target);
    }
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::signbit(gs::sin_cos(-0.0f).sine));
  EXPECT_EQ(gs::sin_cos(-0.0f).cosine, 1);
  EXPECT_TRUE(std::isnan(gs::sin_cos(infinity).sine) && std::isnan(gs::sin_cos(-infinity).cosine));
  EXPECT_NEAR(gs::sin_cos(1.0).sine, std::sin(1.0), 1e-15);
  EXPECT_NEAR(gs::sin_cos(1.0).cosine, std::cos(1.0), 1e-15);
}

GS_FN float hypot_float(float x, float y) { return std::hypot(x, y); }
GS_FN float atan2_float(float y, float x) { return std::atan2(y, x); }
GS_FN float pow_float(float x, float y) { return std::pow(x, y); }

TEST(vector_math, of_two_arguments) {
  const auto x = spread(-30.0f, 30.0f), positive = spread(0.01f, 30.0f), y = spread(-3.0f, 5.0f);
  for (gs::target target : runtime_test::all_targets) {
    const auto h = gs::vectorize<hypot_float>.on(target)(x, y), a = gs::vectorize<atan2_float>.on(target)(x, y),
               p = gs::vectorize<pow_float>.on(target)(positive, y);
    double worst_h = 0, worst_a = 0, worst_p = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst_h = std::max(worst_h, ulps(h[i], std::hypot(double{x[i]}, double{y[i]})));
      worst_a = std::max(worst_a, ulps(a[i], std::atan2(double{x[i]}, double{y[i]})));
      worst_p = std::max(worst_p, ulps(p[i], std::pow(double{positive[i]}, double{y[i]})));
    }
    EXPECT_LE(worst_h, 4.0) << to_string(target);
    EXPECT_LE(worst_a, 4.0) << to_string(target);
    EXPECT_LE(worst_p, 4.0) << to_string(target);
  }
}

}  // namespace
