#pragma once
// cub::BlockRadixSort: CUB, "Block-wide collectives". One bit after the other: Blelloch, "Prefix sums and their
// applications", 1990, section 3.1, "split".

#include "dialect/cub/block_scan.h"
#include "dialect/cub/radix_bits.h"

namespace cub {

/// Sorts the block's keys, `ITEMS_PER_THREAD` for each thread, and values with them: in the end, neighbours belong to
/// one thread. Keys that are alike keep their order. A barrier stands between two uses of one TempStorage.
template <class Key, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class Value = NullType>
class BlockRadixSort {
  using threads = detail::block_threads<BLOCK_DIM_X, 1, 1>;
  using scan = BlockScan<unsigned, BLOCK_DIM_X>;
  static constexpr bool has_values = !std::is_same_v<Value, NullType>;
  static constexpr unsigned elements = threads::count * ITEMS_PER_THREAD;
  static constexpr int key_bits = 8 * sizeof(Key);

 public:
  struct TempStorage {
    typename scan::TempStorage scanned;
    Key keys[elements];
    Value values[has_values ? elements : 1];
  };
  GS_DIALECT_CUB_FN explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  /// By the bits from `begin_bit` to before `end_bit`.
  ///@{
  GS_DIALECT_CUB_FN void Sort(Key (&keys)[ITEMS_PER_THREAD], int begin_bit = 0, int end_bit = key_bits,
                              GS_DIALECT_HERE) const {
    Value none[ITEMS_PER_THREAD];
    sort(keys, none, begin_bit, end_bit, false, here);
  }
  GS_DIALECT_CUB_FN void Sort(Key (&keys)[ITEMS_PER_THREAD], Value (&values)[ITEMS_PER_THREAD], int begin_bit = 0,
                              int end_bit = key_bits, GS_DIALECT_HERE) const {
    sort(keys, values, begin_bit, end_bit, false, here);
  }
  GS_DIALECT_CUB_FN void SortDescending(Key (&keys)[ITEMS_PER_THREAD], int begin_bit = 0, int end_bit = key_bits,
                                        GS_DIALECT_HERE) const {
    Value none[ITEMS_PER_THREAD];
    sort(keys, none, begin_bit, end_bit, true, here);
  }
  GS_DIALECT_CUB_FN void SortDescending(Key (&keys)[ITEMS_PER_THREAD], Value (&values)[ITEMS_PER_THREAD],
                                        int begin_bit = 0, int end_bit = key_bits, GS_DIALECT_HERE) const {
    sort(keys, values, begin_bit, end_bit, true, here);
  }
  ///@}

 private:
  GS_DIALECT_CUB_FN void sort(Key (&keys)[ITEMS_PER_THREAD], Value (&values)[ITEMS_PER_THREAD], int begin_bit,
                              int end_bit, bool descending, const std::source_location& here) const {
    const unsigned first = threads::rank() * ITEMS_PER_THREAD;
    for (int bit = begin_bit; bit < end_bit; ++bit) {
      bool goes_last[ITEMS_PER_THREAD];
      unsigned ahead = 0;
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        goes_last[i] = ((detail::radix_bits(keys[i]) >> bit & 1) != 0) != descending;
        ahead += !goes_last[i];
      }
      unsigned before, all_ahead;  // how many keys of the threads before, and of all, go to the beginning
      scan(storage_.scanned).ExclusiveSum(ahead, before, all_ahead, here);
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        const unsigned place = goes_last[i] ? all_ahead + first + static_cast<unsigned>(i) - before : before;
        before += !goes_last[i];
        storage_.keys[place] = keys[i];
        if constexpr (has_values) storage_.values[place] = values[i];
      }
      __syncthreads(here);
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        keys[i] = storage_.keys[first + static_cast<unsigned>(i)];
        if constexpr (has_values) values[i] = storage_.values[first + static_cast<unsigned>(i)];
      }
      __syncthreads(here);
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
