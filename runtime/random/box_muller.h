#pragma once
// box_muller: a normally distributed number from two uniform ones, the same bits on every device.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

// Libraries of elementary functions differ in their last places. Here only additions, products, fused multiply-adds,
// one division and one root are used, which IEEE 754 rounds alike everywhere; products that are added to something are
// written as std::fma, so that no compiler chooses. The series are Taylor's, cut where a term is below the last place.

template <class T>
inline constexpr int arctanh_terms = std::is_same_v<T, float> ? 5 : 11;
template <class T>
inline constexpr int sine_terms = std::is_same_v<T, float> ? 7 : 12;

// 2 arctanh(s) / s as a series in z = s^2: 2 + 2/3 z + 2/5 z^2 + ...
template <class T, int K = 0>
GS_FN T arctanh_series(T z) {
  constexpr T coefficient = T(2) / (2 * K + 1);
  if constexpr (K + 1 == arctanh_terms<T>)
    return coefficient;
  else
    return std::fma(z, arctanh_series<T, K + 1>(z), coefficient);
}

// Coefficient k of sin(2 pi s) / s as a series in s^2: (-1)^k (2 pi)^(2k + 1) / (2k + 1)!
constexpr double sine_coefficient(int k) {
  constexpr double two_pi = 2 * std::numbers::pi;
  double c = two_pi;
  for (int i = 1; i <= k; ++i) c *= -two_pi * two_pi / (2 * i * (2 * i + 1));
  return c;
}
template <class T, int K = 0>
GS_FN T sine_series(T z) {
  constexpr T coefficient = static_cast<T>(sine_coefficient(K));
  if constexpr (K + 1 == sine_terms<T>)
    return coefficient;
  else
    return std::fma(z, sine_series<T, K + 1>(z), coefficient);
}

/// ln(u) for a normal u of (0, 1]. With u = 2^e m and m in [sqrt(1/2), sqrt(2)), ln(m) = 2 arctanh((m - 1) / (m + 1)).
template <class T>
GS_FN T portable_log(T u) {
  using bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  constexpr T one_apart = T(bits{1} << fraction_bits);  // numbers from here to twice this are one apart
  constexpr bits bias = std::numeric_limits<T>::max_exponent - 1;
  constexpr T ln2 = std::numbers::ln2_v<T>;
  const bits u_bits = std::bit_cast<bits>(u);
  const bits biased =
      (u_bits + (bias << fraction_bits) - std::bit_cast<bits>(std::numbers::sqrt2_v<T> / 2)) >> fraction_bits;
  // An integer in the fraction of one_apart counts ones: a conversion that every machine can do in vector registers.
  const T e = std::bit_cast<T>(biased | std::bit_cast<bits>(one_apart)) - (one_apart + T(bias));
  const T m = std::bit_cast<T>(u_bits - ((biased - bias) << fraction_bits));
  const T s = (m - 1) / (m + 1);
  return std::fma(e, ln2, s * arctanh_series(s * s));
}

/// cos(2 pi v) for v in [0, 1] with no more digits than a uniform draw has: it is sin(2 pi s), where s, of [-1/4, 1/4],
/// is exact.
template <class T>
GS_FN T portable_cos_turns(T v) {
  const T s = std::abs(v - T(0.5)) - T(0.25);
  return s * sine_series(s * s);
}

/// sqrt(-2 ln u) cos(2 pi v), normally distributed for uniform u in (0, 1] and v in [0, 1) (Box and Muller, "A note on
/// the generation of random normal deviates", 1958). A few units in the last place from the exact value, relative to
/// the root; T is float or double.
template <class T>
GS_FN T box_muller(T u, T v) {
  return std::sqrt(-2 * portable_log(u)) * portable_cos_turns(v);
}

}  // namespace gs::inline GS_FLAVOUR::detail
