#pragma once
// The threads of a block whose extents are known when it compiles, and its warps.

#include "dialect/cub/operators.h"
#include "dialect/language/synchronization.h"

namespace cub::detail {

template <int X, int Y, int Z>
struct block_threads {
  static constexpr unsigned count = static_cast<unsigned>(X) * static_cast<unsigned>(Y) * static_cast<unsigned>(Z);
  static_assert(count >= 1 && count <= 1024, "cub: a block has 1 to 1024 threads");
  static constexpr unsigned warps = (count + 31) / 32;

  GS_DIALECT_CUB_FN static unsigned rank() { return dialect::this_thread().thread_rank(); }
  GS_DIALECT_CUB_FN static unsigned warp() { return rank() / 32; }
  /// How many threads the calling one's warp has.
  GS_DIALECT_CUB_FN static unsigned in_this_warp() { return count % 32 == 0 || warp() + 1 < warps ? 32 : count % 32; }
};

/// An array's values taken together, in their order.
template <class T, int N, class Operation>
GS_DIALECT_CUB_FN inline T folded(T (&items)[N], Operation operation) {
  T result = items[0];
  for (int i = 1; i < N; ++i) result = operation(result, items[i]);
  return result;
}

}  // namespace cub::detail
