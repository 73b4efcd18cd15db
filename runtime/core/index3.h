#pragma once
// gs::index3: a position or an extent in up to three dimensions.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// How many threads a block may have, on every device: CUDA's limit, from compute capability 2.0 on.
inline constexpr unsigned most_threads_per_block = 1024;

}  // namespace detail

/// A position or an extent in up to three dimensions, as CUDA's threadIdx, blockIdx, blockDim and gridDim.
struct index3 {
  unsigned x = 0, y = 0, z = 0;  ///< along each dimension

  /// The number of positions in it, as an extent: x * y * z.
  GS_FN std::size_t size() const { return std::size_t{x} * y * z; }
  /// Its number in an extent; x runs fastest.
  GS_FN std::size_t linear_in(const index3& extent) const { return x + extent.x * (y + std::size_t{extent.y} * z); }

  friend bool operator==(const index3&, const index3&) = default;  ///< alike in all three
};

namespace detail {

/// The position with number `linear` in an extent; computed in the number's own type, unsigned or std::size_t.
template <class Number>
GS_FN index3 position_in(const index3& extent, Number linear) {
  const Number row = linear / extent.x;
  return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(row % extent.y),
          static_cast<unsigned>(row / extent.y)};
}

/// The position after `position` in an extent.
GS_FN inline index3 next_in(const index3& extent, index3 position) {
  if (++position.x < extent.x) return position;
  position.x = 0;
  if (++position.y < extent.y) return position;
  position.y = 0;
  ++position.z;
  return position;
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
