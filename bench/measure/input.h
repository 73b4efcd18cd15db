#pragma once
// Inputs for workloads: the same numbers in every run and on every machine.

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/host/cores.h"

namespace bench {

/// Evenly spread over [0, 1): the i-th number of a sequence, by itself (SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014). Different `sequence`, different numbers.
inline double uniform(std::uint64_t i, std::uint64_t sequence = 0) {
  std::uint64_t z = (i + 1 + (sequence << 40)) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// array[i] = f(i), on all cores.
template <class T, class F>
void fill(std::span<T> array, F f) {
  gs::for_pieces(array.size(), std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) array[i] = static_cast<T>(f(i));
  });
}

}  // namespace bench
