#pragma once
// Lanes of a logical warp, of which `Width` make one.

#include "dialect/cub/operators.h"
#include "dialect/groups/lanes.h"

namespace cub::detail {

template <unsigned Width>
struct warp_lanes {
  static_assert(Width > 0 && Width <= 32 && (Width & (Width - 1)) == 0,
                "cub: a logical warp has 1, 2, 4, 8, 16 or 32 threads");

  /// Of a logical warp `count` lanes of which there are.
  unsigned count = Width;

  GS_DIALECT_CUB_FN static unsigned rank() { return dialect::this_thread().thread_rank() % Width; }

  /// The value of the lane of that rank, which must be there.
  template <class T>
  GS_DIALECT_CUB_FN T value_of(const T& value, unsigned lane, const std::source_location& here) const {
    return cooperative_groups::detail::exchanged(value, [&](unsigned word) __attribute__((always_inline)) {
      return dialect::this_thread().shuffle(word, lane, mask(), Width, here);
    });
  }

 private:
  GS_DIALECT_CUB_FN unsigned mask() const {
    const unsigned lane = dialect::this_thread().thread_rank() % gs::warp_size;
    return (gs::full_mask >> (gs::warp_size - count)) << (lane / Width * Width);
  }
};

}  // namespace cub::detail
