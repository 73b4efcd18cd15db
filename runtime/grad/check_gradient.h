#pragma once
// gs::check_gradient: derivatives beside finite differences.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/grad/grad.h"
#include "runtime/grad/tape.h"
#include "runtime/random/random_array.h"

namespace gs::inline GS_FLAVOUR {

/// The argument, or the element, whose derivative differs most from its finite difference.
struct gradient_check {
  std::size_t argument = 0;               ///< its number, from 0
  double derivative = 0, difference = 0;  ///< what `grad` says, and what central_difference says
  double error = 0;                       ///< |derivative - difference| / max(1, |difference|); NaN if one of them is
  std::size_t element = 0;                ///< of an array: its number in row-major order
  gs::shape extents = gs::shape();        ///< of that array; () for a number
  bool agrees(double tolerance = 1e-6) const { return error <= tolerance; }  ///< whether the error is small enough
};

/// As a sentence: "argument 1, element (2, 0) of (4, 3): the derivative is 0.5, and the central difference 0.25".
std::string to_string(const gradient_check& check);

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

// Replaces `worst` if this one differs more, or is the first; one that is NaN stays.
inline void keep_worst(gradient_check& worst, bool first, gradient_check checked) {
  checked.error = std::fabs(checked.derivative - checked.difference) / std::max(1.0, std::fabs(checked.difference));
  if (first || (worst.error == worst.error && !(checked.error <= worst.error))) worst = checked;
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
      detail::keep_worst(
          worst, k == 0,
          {.argument = k, .derivative = y.tangent[k], .difference = detail::central_difference(along, point[k])});
    };
    (compare(K), ...);
  }(std::index_sequence_for<T...>());
  return worst;
}

/// Compares all gradients of a function of arrays of double with central differences, element by element, which are
/// two calls of the function each: check_gradient(loss, w, b), where loss is made by gs::taped. A result of several
/// elements is summed with weights between 0.5 and 1.5, since many a wrong adjoint has the right sum. Copies each
/// element to the device and each value back.
template <class Function, class... T>
gradient_check check_gradient(const detail::taped_function<Function>& function, const device_array<T>&... x) {
  static_assert((std::is_same_v<T, double> && ...), "check_gradient takes doubles: float has too few digits for it");
  const device_array<double> value = function(x...);
  const auto weights = uniform<double>(value.shape(), 1) + 0.5;
  const auto gradients = function.vjp(weights, x...);
  std::tuple<device_array<T>...> moved(x.copy()...);  // the function may have captured x itself
  gradient_check worst;
  bool first = true;
  const auto compare = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    const device_array<double> array = std::get<K>(moved).reshape({-1});
    const std::vector<double> start = array.copy_to_host(), gradient = std::get<K + 1>(gradients).copy_to_host();
    for (std::size_t i = 0; i < start.size(); ++i) {
      device_array<double> one = array.slice(i, i + 1);
      const auto along = [&](double number) {
        one.copy_from_host(std::array{number});
        return sum(std::apply(function, moved) * weights).copy_to_host()[0];
      };
      detail::keep_worst(worst, first,
                         {.argument = K,
                          .derivative = gradient[i],
                          .difference = detail::central_difference(along, start[i]),
                          .element = i,
                          .extents = std::get<K>(moved).shape()});
      one.copy_from_host(std::array{start[i]});
      first = false;
    }
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (compare(std::integral_constant<std::size_t, K>()), ...);
  }(std::index_sequence_for<T...>());
  return worst;
}

}  // namespace gs::inline GS_FLAVOUR
