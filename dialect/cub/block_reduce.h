#pragma once
// cub::BlockReduce: CUB, "Block-wide collectives". Warps take their values together, then the first thread those of the
// warps. The algorithm that is asked for changes nothing.

#include "dialect/cub/block_threads.h"
#include "dialect/cub/warp_reduce.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

/// Takes the values of a block's threads together, for thread 0; the others' results mean nothing. A barrier stands
/// between two uses of one TempStorage.
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockReduce {
  using threads = detail::block_threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

 public:
  struct TempStorage {
    T of_warps[threads::warps];
  };
  GS_DIALECT_CUB_FN explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  GS_DIALECT_CUB_FN T Sum(T input, GS_DIALECT_HERE) const { return Reduce(input, cub::Sum(), here); }
  /// Of the first `valid` threads.
  GS_DIALECT_CUB_FN T Sum(T input, int valid, GS_DIALECT_HERE) const { return Reduce(input, cub::Sum(), valid, here); }
  template <int N>
  GS_DIALECT_CUB_FN T Sum(T (&items)[N], GS_DIALECT_HERE) const {
    return Reduce(items, cub::Sum(), here);
  }
  template <int N, class Operation>
  GS_DIALECT_CUB_FN T Reduce(T (&items)[N], Operation operation, GS_DIALECT_HERE) const {
    return Reduce(detail::folded(items, operation), operation, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN T Reduce(T input, Operation operation, GS_DIALECT_HERE) const {
    return Reduce(input, operation, static_cast<int>(threads::count), here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN T Reduce(T input, Operation operation, int valid, GS_DIALECT_HERE) const {
    const unsigned warp = threads::warp(), before = warp * 32, last = static_cast<unsigned>(valid);
    const int valid_here = last > before ? static_cast<int>(std::min(last - before, 32u)) : 0;
    const T of_warp = WarpReduce<T>(threads::in_this_warp()).Reduce(input, operation, valid_here, here);
    if (threads::rank() % 32 == 0) storage_.of_warps[warp] = of_warp;
    __syncthreads(here);
    T result = storage_.of_warps[0];
    if (threads::rank() == 0)
      for (unsigned w = 1; w < threads::warps && w * 32 < last; ++w) result = operation(result, storage_.of_warps[w]);
    return result;
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
