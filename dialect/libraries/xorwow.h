#pragma once
// XORWOW as cuRAND has it: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1, begun
// from cuRAND's seeds.

#include <array>

struct curandStateXORWOW {
  unsigned int weyl;  ///< the sum that is added to the output
  std::array<unsigned int, 5> words;
  /// A second result of one Box-Muller transform, if the next call of the same distribution returns it.
  ///@{
  int left_over, left_over_double;
  float second;
  double second_double;
  ///@}
};

namespace dialect::xorwow {

using words = std::array<unsigned int, 5>;

constexpr unsigned weyl_step = 362437;
constexpr unsigned log2_of_subsequence = 67;  ///< a subsequence is 2^67 numbers long

/// The words `steps` numbers further on, and `subsequences`.
words jumped(words from, unsigned long long steps, unsigned long long subsequences);

/// One step of the linear part.
[[gnu::always_inline]] inline void step(words& v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

}  // namespace dialect::xorwow
