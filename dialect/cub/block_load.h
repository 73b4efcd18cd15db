#pragma once
// cub::BlockLoad: CUB, "Block-wide collectives".

#include "dialect/cub/block_threads.h"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

/// Loads consecutive elements: `ITEMS_PER_THREAD` neighbours for each thread, or, striped, every BLOCK_DIM_Xth. The
/// transposing algorithms load striped, which is coalesced, and hand the elements over in shared memory. A barrier
/// stands between two uses of one TempStorage.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockLoad {
  using threads = detail::block_threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  static constexpr bool transposes = ALGORITHM >= BLOCK_LOAD_TRANSPOSE, is_striped = ALGORITHM == BLOCK_LOAD_STRIPED;
  static constexpr unsigned elements = threads::count * ITEMS_PER_THREAD;

 public:
  struct TempStorage {
    T items[transposes ? elements : 1];
  };
  GS_DIALECT_CUB_FN explicit BlockLoad(TempStorage& storage) : storage_(storage) {}

  template <class Iterator>
  GS_DIALECT_CUB_FN void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], GS_DIALECT_HERE) const {
    load(from, items, static_cast<int>(elements), here);
  }
  /// The first `valid` elements; the other items stay as they are.
  template <class Iterator>
  GS_DIALECT_CUB_FN void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid, GS_DIALECT_HERE) const {
    load(from, items, valid, here);
  }
  template <class Iterator, class Value>
  requires(!std::is_same_v<Value, std::source_location>)
  GS_DIALECT_CUB_FN void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid, Value otherwise,
                              GS_DIALECT_HERE) const {
    for (T& item : items) item = otherwise;
    load(from, items, valid, here);
  }

 private:
  GS_DIALECT_CUB_FN static unsigned striped(unsigned i) { return threads::rank() + i * threads::count; }
  GS_DIALECT_CUB_FN static unsigned blocked(unsigned i) { return threads::rank() * ITEMS_PER_THREAD + i; }

  template <class Iterator>
  GS_DIALECT_CUB_FN void load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid,
                              const std::source_location& here) const {
    const auto last = static_cast<unsigned>(valid);
    if constexpr (transposes) {
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i)
        if (striped(i) < last) storage_.items[striped(i)] = from[striped(i)];
      __syncthreads(here);
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i)
        if (blocked(i) < last) items[i] = storage_.items[blocked(i)];
    } else {
      for (unsigned i = 0; i < ITEMS_PER_THREAD; ++i) {
        const unsigned k = is_striped ? striped(i) : blocked(i);
        if (k < last) items[i] = from[k];
      }
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
