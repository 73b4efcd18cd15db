#pragma once
// Random numbers by index: element i of an array depends on a seed and on i alone, so that all cores can make an input
// and it is the same each time.

#include <bit>
#include <cstdint>

#include "runtime/random/box_muller.h"

namespace grader {

/// Output i of SplitMix64 started at `seed`: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The upper or the lower 24 bits of random bits as a number of [0, 1): two that don't depend on each other.
inline float upper_uniform(std::uint64_t bits) { return static_cast<float>(static_cast<int>(bits >> 40)) * 0x1p-24f; }
inline float lower_uniform(std::uint64_t bits) {
  return static_cast<float>(static_cast<int>(bits & 0xffffff)) * 0x1p-24f;
}

/// A normally distributed number, mean 0 and standard deviation 1, within +-5.8.
inline float normal(std::uint64_t bits) { return gs::detail::box_muller(1 - upper_uniform(bits), lower_uniform(bits)); }

}  // namespace grader
