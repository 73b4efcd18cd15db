#pragma once
// gs::sum: a sum inside a function, in lanes that vectorise without -ffast-math.

#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/kernel/grid_stride.h"

namespace gs::inline GS_FLAVOUR {

inline constexpr std::size_t sum_lanes = 32;

// The sum of n >= sum_lanes terms.
template <class Term>
GS_FN auto sum_in_lanes(std::size_t n, const Term& term) {
  decltype(term(n)) lane[sum_lanes];
  for (std::size_t j = 0; j < sum_lanes; ++j) lane[j] = term(j);
  const std::size_t whole = n / sum_lanes * sum_lanes;
  for (std::size_t i = sum_lanes; i < whole; i += sum_lanes)
    for (std::size_t j = 0; j < sum_lanes; ++j) lane[j] += term(i + j);
  for (std::size_t half = sum_lanes / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
  for (std::size_t i = whole; i < n; ++i) lane[0] += term(i);
  return lane[0];
}

/// term(0) + ... + term(n - 1). A plain loop must add from the left, each term when the sum before it is known: that is
/// what the language says. This adds in 32 lanes, term i to lane i modulo 32, then lane to lane by halves, then the
/// n modulo 32 last terms. The grouping depends on n alone, and so do the bits, on every target. No terms give 0.
///   gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; })
template <class Term>
[[gnu::always_inline]] inline GS_FN auto sum(std::size_t n, const Term& term) {
  switch (n) {  // without a loop: where n turns out to be a constant, g++ vectorises over calls
    case 1:
      return term(0);
    case 2:
      return term(0) + term(1);
    case 3:
      return term(0) + term(1) + term(2);
    case 4:
      return term(0) + term(1) + term(2) + term(3);
    default:
      break;
  }
  if (n >= sum_lanes) return sum_in_lanes(n, term);
  decltype(term(n)) total{};
  for (std::size_t i = 0; i < n; ++i) total += term(i);
  return total;
}

/// The sum of term(i) over the indices of one thread in a grid-stride loop, in the same lanes. Which indices these are,
/// and so the bits, depends on the grid and on the target.
///   gs::sum(t.grid_stride(x.size()), [&](std::size_t i) { return x[i] * y[i]; })
template <class Term>
[[gnu::always_inline]] inline GS_FN auto sum(const grid_stride_range& indices, const Term& term) {
  return sum(indices.size(), [&](std::size_t k) { return term(indices[k]); });
}

}  // namespace gs::inline GS_FLAVOUR
