#pragma once
// gs::check_gradient: derivatives beside finite differences.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/grad/grad.h"

namespace gs::inline GS_FLAVOUR {

/// The argument, or the element, whose derivative differs most from its finite difference.
struct gradient_check {
  std::size_t argument = 0;               ///< its number, from 0
  double derivative = 0, difference = 0;  ///< what `grad` says, and what central_difference says
  double error = 0;                       ///< |derivative - difference| / max(1, |difference|); NaN if one of them is
  bool agrees(double tolerance = 1e-6) const { return error <= tolerance; }  ///< whether the error is small enough
};

namespace detail {

/// Central differences in float64, (f(x + h) - f(x - h)) / 2h, of the best step for them: the cube root of the unit of
/// rounding, 6e-6, times the size of x (W. H. Press et al., "Numerical Recipes", 3rd edition, 2007, section 5.7). Where
/// f and its third derivative have the size of 1, ten digits agree.
template <class F>
double central_difference(const F& f, double x) {
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::fabs(x));
  const double above = x + step, below = x - step;
  return (f(above) - f(below)) / (above - below);
}

inline void keep_worst(gradient_check& worst, std::size_t argument, double derivative, double difference) {
  const double error = std::fabs(derivative - difference) / std::max(1.0, std::fabs(difference));
  if (argument == 0 || error > worst.error || error != error) worst = {argument, derivative, difference, error};
}

}  // namespace detail

/// Compares all partial derivatives of F at a point with central differences: check_gradient<bell{}>(0.5, 2.0). At a
/// corner or a jump, and within 6e-6 of one, the two differ.
template <auto F, class... T>
gradient_check check_gradient(T... x) {
  static_assert((std::is_same_v<T, double> && ...), "check_gradient takes doubles: float has too few digits for it");
  constexpr auto f = detail::function_of(F);
  const std::array<double, sizeof...(T)> point{x...};
  gradient_check worst;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const auto y = detail::with_tangents<f, K...>(x...);
    const auto compare = [&](std::size_t k) {
      const auto along = [&](double moved) { return f((K == k ? moved : point[K])...); };
      detail::keep_worst(worst, k, y.tangent[k], detail::central_difference(along, point[k]));
    };
    (compare(K), ...);
  }(std::index_sequence_for<T...>());
  return worst;
}

}  // namespace gs::inline GS_FLAVOUR
