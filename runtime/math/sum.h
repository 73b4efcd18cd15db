#pragma once
// gs::sum: a sum inside a function, in lanes that vectorise without -ffast-math.

#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/kernel/grid_stride.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// The lanes of gs::sum; terms in a block, and in a block of blocks.
inline constexpr std::size_t sum_lanes = 32, sum_block = 256 * sum_lanes, sum_blocks = 256 * sum_block;

template <class T>
struct lane_sums {
  GS_FN lane_sums() {
    for (T& lane : lanes) lane = static_cast<T>(-T{});  // -0, which changes no sum
  }
  GS_FN void operator+=(const lane_sums& more) {
    for (std::size_t j = 0; j < sum_lanes; ++j) lanes[j] += more.lanes[j];
  }
  T lanes[sum_lanes];
};

// Terms from `i` to `end`, a multiple of sum_lanes of them.
template <class Sums, class Term>
[[gnu::always_inline]] inline GS_FN void add_terms(Sums& sums, std::size_t i, std::size_t end, const Term& term) {
  for (; i < end; i += sum_lanes)
    for (std::size_t j = 0; j < sum_lanes; ++j) sums.lanes[j] += term(i + j);
}

// The sum of n >= sum_lanes terms.
template <class Term>
GS_FN auto sum_in_lanes(std::size_t n, const Term& term) {
  using sums = lane_sums<decltype(term(n))>;
  const std::size_t whole = n / sum_lanes * sum_lanes;
  sums total_of_lanes;
  if (whole <= sum_block) {  // the sums of more blocks would be added to -0, which changes nothing
    add_terms(total_of_lanes, 0, whole, term);
  } else {
    for (std::size_t i = 0; i < whole;) {
      sums blocks;
      for (const std::size_t last = whole - i < sum_blocks ? whole : i + sum_blocks; i < last;) {
        const std::size_t end = last - i < sum_block ? last : i + sum_block;
        sums block;
        add_terms(block, i, end, term);
        blocks += block;
        i = end;
      }
      total_of_lanes += blocks;
    }
  }
  for (std::size_t half = sum_lanes / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) total_of_lanes.lanes[j] += total_of_lanes.lanes[j + half];
  for (std::size_t i = whole; i < n; ++i) total_of_lanes.lanes[0] += term(i);
  return total_of_lanes.lanes[0];
}

}  // namespace detail

/// term(0) + ... + term(n - 1). A plain loop must add from the left, one term after the other: the language says so.
/// This adds in 32 lanes, term i to lane i modulo 32, then lane to lane by halves, then the
/// n modulo 32 last terms. A lane sums up blocks of 256 of its terms, and 256 of those sums, so that it adds numbers of
/// about one size: the error is at most 600 + n / 2^21 roundings of the sum of the terms' magnitudes, where a plain
/// loop has n. gs::reduce adds in pairs from the first element on, and has log2(n). The grouping depends on n alone,
/// and so do the bits, on every target. No terms give 0.
///   gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; })
template <class Term>
[[gnu::always_inline]] inline GS_FN auto sum(std::size_t n, const Term& term) {
  switch (n) {  // without a loop: where n turns out to be a constant, g++ vectorises over calls
    case 0:
      return decltype(term(n)){};
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
  if (n >= detail::sum_lanes) return detail::sum_in_lanes(n, term);
  auto total = term(0);
  for (std::size_t i = 1; i < n; ++i) total += term(i);
  return total;
}

/// The sum of term(i) over the indices of one thread in a grid-stride loop, in the same lanes. Which indices these are,
/// and so the bits, depends on the grid and on the target.
///   gs::sum(t.grid_stride(x.size()), [&](std::size_t i) { return x[i] * y[i]; })
template <class Term>
[[gnu::always_inline]] inline GS_FN auto sum(const detail::grid_stride_range& indices, const Term& term) {
  return sum(indices.size(), [&](std::size_t k) { return term(indices[k]); });
}

}  // namespace gs::inline GS_FLAVOUR
