#pragma once
// cub::BlockStore: CUB, "Block-wide collectives".

#include "dialect/cub/block_threads.h"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/// Stores to consecutive elements what BlockLoad loads.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockStore {
  using threads = detail::block_threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  static constexpr bool transposes = ALGORITHM >= BLOCK_STORE_TRANSPOSE, is_striped = ALGORITHM == BLOCK_STORE_STRIPED;
  static constexpr unsigned elements = threads::count * ITEMS_PER_THREAD;

 public:
  struct TempStorage {
    T items[transposes ? elements : 1];
  };
  GS_DIALECT_CUB_FN explicit BlockStore(TempStorage& storage) : storage_(storage) {}

  template <class Iterator>
  GS_DIALECT_CUB_FN void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], GS_DIALECT_HERE) const {
    store(to, items, static_cast<int>(elements), here);
  }
  /// The first `valid` elements.
  template <class Iterator>
  GS_DIALECT_CUB_FN void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], int valid, GS_DIALECT_HERE) const {
    store(to, items, valid, here);
  }

 private:
  GS_DIALECT_CUB_FN static unsigned striped(unsigned i) { return threads::rank() + i * threads::count; }
  GS_DIALECT_CUB_FN static unsigned blocked(unsigned i) { return threads::rank() * ITEMS_PER_THREAD + i; }

  template <class Iterator>
  GS_DIALECT_CUB_FN void store(Iterator to, T (&items)[ITEMS_PER_THREAD], int valid,
                               const std::source_location& here) const {
    const auto last = static_cast<unsigned>(valid);
    if constexpr (transposes) {
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i) storage_.items[blocked(i)] = items[i];
      __syncthreads(here);
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i)
        if (striped(i) < last) to[striped(i)] = storage_.items[striped(i)];
    } else {
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i) {
        const unsigned k = is_striped ? striped(i) : blocked(i);
        if (k < last) to[k] = items[i];
      }
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
