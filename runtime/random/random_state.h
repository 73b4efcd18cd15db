#pragma once
// gs::random_state: one stream of random numbers, xoroshiro128+ with Numba's constants.

#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// The state of one xoroshiro128+ generator (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
/// 2018; the rotations 55, 14, 36 of 2016, which Numba uses). Its period is 2^128 - 1. Both words 0 is no state: it
/// draws nothing but zeros. Trivially copyable: an element of arrays, an argument of functions.
struct random_state {
  std::uint64_t s0, s1;                                                        ///< all that there is
  friend bool operator==(const random_state&, const random_state&) = default;  ///< alike in both words
};

/// How numbers are drawn.
///   numba    those of numba.cuda.random, with its rare flaws: see random_state_at, uniform_float32, normal_float32
///   strict   without them
enum class random_mode { numba, strict };
/// The last argument of draws without Numba's rare flaws.
inline constexpr random_mode strict = random_mode::strict;

namespace detail {

GS_FN inline std::uint64_t rotated_left(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

}  // namespace detail

/// The next 64 random bits. The lowest bits are the weakest: take what you need from the top.
GS_FN inline std::uint64_t next_uint64(random_state& state) {
  const std::uint64_t result = state.s0 + state.s1, mixed = state.s0 ^ state.s1;
  state.s0 = detail::rotated_left(state.s0, 55) ^ mixed ^ (mixed << 14);
  state.s1 = detail::rotated_left(mixed, 36);
  return result;
}

}  // namespace gs::inline GS_FLAVOUR
