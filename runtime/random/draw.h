#pragma once
// Random numbers from one state: uniform, normal, integers. Ordinary functions, for kernels and for the host.

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/random/box_muller.h"
#include "runtime/random/random_state.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// The upper 53 bits of x, times 2^-53; exact. x86 before AVX-512 can't convert 64-bit integers in vector registers:
// there 32 and 21 bits are put into the fraction of a power of two whose last place they count, and the power is
// subtracted.
GS_FN inline double unit_fraction(std::uint64_t x) {
#if defined(__x86_64__) && !defined(__AVX512DQ__) && !defined(__CUDA_ARCH__)
  const auto unit_part = [](std::uint64_t bits, double exponent) {
    return std::bit_cast<double>(bits | std::bit_cast<std::uint64_t>(exponent)) - exponent;
  };
  return unit_part(x >> 43, 0x1p31) + unit_part(x >> 11 & 0xffffffff, 0x1p-1);
#else
  return static_cast<double>(static_cast<std::int64_t>(x >> 11)) * 0x1p-53;
#endif
}

}  // namespace detail

/// A float64 in [0, 1): the upper 53 bits of one raw draw, times 2^-53. The same in both modes.
GS_FN inline double uniform_float64(random_state& state) { return detail::unit_fraction(next_uint64(state)); }

/// A float32. Numba's is uniform_float64 rounded, so about one in 34 million is exactly 1. Strict ones, the upper 24
/// bits of one raw draw times 2^-24, lie in [0, 1).
GS_FN inline float uniform_float32(random_state& state, random_mode mode = random_mode::numba) {
  if (mode == strict) return static_cast<float>(static_cast<std::int32_t>(next_uint64(state) >> 40)) * 0x1p-24f;
  return static_cast<float>(uniform_float64(state));
}

/// A normally distributed float32, mean 0, standard deviation 1, from two raw draws by box_muller; the second number of
/// each pair is dropped, as Numba drops it. Numba's mode calls std::log and std::cos, whose last places differ between
/// libraries, and is infinite when the first draw is 0, once in 2^53. Strict ones are the same bits on every device and
/// lie within +-5.8.
GS_FN inline float normal_float32(random_state& state, random_mode mode = random_mode::numba) {
  constexpr float two_pi = 0x1.921fb6p+2f;
  const float first = uniform_float32(state, mode), second = uniform_float32(state, mode);
  if (mode == strict) return detail::box_muller(1 - first, second);
  return std::sqrt(-2 * std::log(first)) * std::cos(two_pi * second);
}

/// The same as float64. Numba's uses two float32 draws and the logarithm in float32. Strict ones are float64 throughout
/// and lie within +-8.6.
GS_FN inline double normal_float64(random_state& state, random_mode mode = random_mode::numba) {
  constexpr double two_pi = 0x1.921fb54442d18p+2;
  if (mode == strict) {
    const double first = uniform_float64(state), second = uniform_float64(state);
    return detail::box_muller(1 - first, second);
  }
  const float first = uniform_float32(state), second = uniform_float32(state);
  return std::sqrt(-2.0 * static_cast<double>(std::log(first))) * std::cos(two_pi * static_cast<double>(second));
}

/// An integer from `low` to `high`, both included, as in std::uniform_int_distribution; each exactly as likely as the
/// others (Lemire, "Fast random integer generation in an interval", 2019). One raw draw, seldom more: a draw that would
/// favour some integers is thrown away. If high < low the result is `low`, and nothing is drawn.
template <std::integral T>
GS_FN T uniform_integer(random_state& state, T low, T high) {
  __extension__ typedef unsigned __int128 uint128;
  if (high < low) return low;
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  std::uint64_t offset = next_uint64(state);
  if (count != 0) {  // 0 stands for 2^64: any draw is right
    uint128 product = uint128{offset} * count;
    if (static_cast<std::uint64_t>(product) < count) {
      const std::uint64_t rejected = (0 - count) % count;
      while (static_cast<std::uint64_t>(product) < rejected && state != random_state{0, 0})
        product = uint128{next_uint64(state)} * count;
    }
    offset = static_cast<std::uint64_t>(product >> 64);
  }
  return static_cast<T>(static_cast<std::uint64_t>(low) + offset);
}

}  // namespace gs::inline GS_FLAVOUR
