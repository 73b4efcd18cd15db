#pragma once
// gs::index3: a position or an extent in up to three dimensions.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// How many threads a block may have, on every device: CUDA's limit, from compute capability 2.0 on.
inline constexpr unsigned most_threads_per_block = 1024;

/// A position or an extent in up to three dimensions, as CUDA's threadIdx, blockIdx, blockDim and gridDim.
struct index3 {
  unsigned x = 0, y = 0, z = 0;

  /// How many there are of it, as an extent: x * y * z.
  GS_FN std::size_t size() const { return std::size_t{x} * y * z; }
  /// Where it lies in an extent; x runs fastest.
  GS_FN std::size_t linear_in(const index3& extent) const { return x + extent.x * (y + std::size_t{extent.y} * z); }

  friend bool operator==(const index3&, const index3&) = default;
};

/// The position number `linear` in an extent; it is divided as what it is, unsigned or std::size_t.
template <class Number>
GS_FN index3 position_in(const index3& extent, Number linear) {
  const Number row = linear / extent.x;
  return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(row % extent.y),
          static_cast<unsigned>(row / extent.y)};
}

/// The position behind one in an extent.
GS_FN inline index3 next_in(const index3& extent, index3 at) {
  if (++at.x < extent.x) return at;
  at.x = 0;
  if (++at.y < extent.y) return at;
  at.y = 0;
  ++at.z;
  return at;
}

}  // namespace gs::inline GS_FLAVOUR
