#pragma once
// Philox4x32 with ten rounds: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

#include <array>

struct curandStatePhilox4_32_10 {
  std::array<unsigned int, 4> counter, output;  ///< the lowest word first; what the counter is turned into
  std::array<unsigned int, 2> key;
  unsigned int used;  ///< how many words of the output have been drawn
  /// A second result of one Box-Muller transform, if the next call of the same distribution returns it.
  ///@{
  int left_over, left_over_double;
  float second;
  double second_double;
  ///@}
};

namespace dialect::philox {

using block = std::array<unsigned int, 4>;

[[gnu::always_inline]] inline block encrypted(block counter, std::array<unsigned int, 2> key) {
  constexpr unsigned long long multiplier_0 = 0xd2511f53, multiplier_1 = 0xcd9e8d57;
  constexpr unsigned key_step_0 = 0x9e3779b9, key_step_1 = 0xbb67ae85, rounds = 10;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned long long a = multiplier_0 * counter[0], b = multiplier_1 * counter[2];
    counter = {static_cast<unsigned>(b >> 32) ^ counter[1] ^ key[0], static_cast<unsigned>(b),
               static_cast<unsigned>(a >> 32) ^ counter[3] ^ key[1], static_cast<unsigned>(a)};
    key[0] += key_step_0, key[1] += key_step_1;
  }
  return counter;
}

/// Adds to the counter's two words from `first` on, and to those above them.
[[gnu::always_inline]] inline void add(block& counter, unsigned first, unsigned long long count) {
  unsigned long long carry = 0;
  for (unsigned k = first; k < counter.size(); ++k) {
    const unsigned long long sum = counter[k] + (count & 0xffffffff) + carry;
    counter[k] = static_cast<unsigned>(sum);
    carry = sum >> 32, count >>= 32;
  }
}

}  // namespace dialect::philox
