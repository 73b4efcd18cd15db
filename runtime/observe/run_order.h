#pragma once
// run_order: in which order a watched launch runs its blocks, and the threads of each. Every run of a program has the
// same.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

class run_order {
 public:
  /// 0: as they are numbered; 1: in reverse; from 2 on: a pseudo-random permutation, another one for each number.
  constexpr explicit run_order(unsigned number = 0) : number_(number) {}

  constexpr bool as_numbered() const { return number_ == 0; }
  constexpr unsigned number() const { return number_; }
  constexpr bool operator==(const run_order&) const = default;

  /// Which of `n` has turn number `turn`. Each has one.
  constexpr std::size_t at(std::size_t turn, std::size_t n) const {
    if (number_ == 0) return turn;
    if (number_ == 1) return n - 1 - turn;
    // A Feistel network permutes the numbers of an even number of bits; what lies beyond n is permuted on until it
    // doesn't (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
    const auto half = std::max<std::size_t>(1, (std::bit_width(n - 1) + 1) / 2);
    do {
      turn = permuted(turn, half);
    } while (turn >= n);
    return turn;
  }

 private:
  constexpr std::size_t permuted(std::size_t x, std::size_t half) const {
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    std::uint64_t left = x >> half, right = x & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed = left ^ (mix(right ^ (round << 32) ^ (std::uint64_t{number_} << 40)) & mask);
      left = right;
      right = mixed;
    }
    return left << half | right;
  }
  // SplitMix64's finaliser.
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  unsigned number_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
