#pragma once
// cub::BlockScan: CUB, "Block-wide collectives". Warps scan their values; then each thread adds what the warps before
// its own have in all. The algorithm that is asked for changes nothing.

#include "dialect/cub/block_threads.h"
#include "dialect/cub/warp_scan.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/// Takes together the values of the threads up to the calling one, one for each or an array of consecutive ones: with
/// its own (inclusive) or without (exclusive). `aggregate` is all of them together. A barrier stands between two uses
/// of one TempStorage.
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockScan {
  using threads = detail::block_threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

 public:
  struct TempStorage {
    T of_warps[threads::warps];
  };
  GS_DIALECT_CUB_FN explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  /// Of one value each.
  ///@{
  GS_DIALECT_CUB_FN void InclusiveSum(T input, T& output, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), here);
  }
  GS_DIALECT_CUB_FN void InclusiveSum(T input, T& output, T& aggregate, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), aggregate, here);
  }
  GS_DIALECT_CUB_FN void ExclusiveSum(T input, T& output, GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), here);
  }
  GS_DIALECT_CUB_FN void ExclusiveSum(T input, T& output, T& aggregate, GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T input, T& output, Operation operation, GS_DIALECT_HERE) const {
    T aggregate;
    InclusiveScan(input, output, operation, aggregate, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T input, T& output, Operation operation, T& aggregate, GS_DIALECT_HERE) const {
    const warp_result w = scan_warp(input, operation, here);
    output = w.has_before ? static_cast<T>(operation(w.before, w.inclusive)) : w.inclusive;
    aggregate = w.aggregate;
  }
  /// The first thread gets `initial`.
  template <class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T input, T& output, T initial, Operation operation, GS_DIALECT_HERE) const {
    T aggregate;
    ExclusiveScan(input, output, initial, operation, aggregate, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate,
                                       GS_DIALECT_HERE) const {
    const warp_result w = scan_warp(input, operation, here);
    const unsigned lane = threads::rank() % 32;
    const T of_lanes =
        detail::warp_lanes<32>{threads::in_this_warp()}.value_of(w.inclusive, lane > 0 ? lane - 1 : 0, here);
    output = w.has_before ? static_cast<T>(operation(initial, w.before)) : initial;
    if (lane > 0) output = operation(output, of_lanes);
    aggregate = w.aggregate;
  }
  ///@}

  /// Of an array each.
  ///@{
  template <int N>
  GS_DIALECT_CUB_FN void InclusiveSum(T (&input)[N], T (&output)[N], GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), here);
  }
  template <int N>
  GS_DIALECT_CUB_FN void InclusiveSum(T (&input)[N], T (&output)[N], T& aggregate, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), aggregate, here);
  }
  template <int N>
  GS_DIALECT_CUB_FN void ExclusiveSum(T (&input)[N], T (&output)[N], GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), here);
  }
  template <int N>
  GS_DIALECT_CUB_FN void ExclusiveSum(T (&input)[N], T (&output)[N], T& aggregate, GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate, here);
  }
  template <int N, class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T (&input)[N], T (&output)[N], Operation operation, GS_DIALECT_HERE) const {
    T aggregate;
    InclusiveScan(input, output, operation, aggregate, here);
  }
  template <int N, class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T (&input)[N], T (&output)[N], Operation operation, T& aggregate,
                                       GS_DIALECT_HERE) const {
    const warp_result w = scan_warp(detail::folded(input, operation), operation, here);
    const unsigned lane = threads::rank() % 32;
    const T of_lanes =
        detail::warp_lanes<32>{threads::in_this_warp()}.value_of(w.inclusive, lane > 0 ? lane - 1 : 0, here);
    T sum = input[0];
    if (lane > 0) sum = operation(of_lanes, sum);
    if (w.has_before) sum = operation(w.before, sum);
    for (int i = 0; i < N; ++i) {
      if (i > 0) sum = operation(sum, input[i]);
      output[i] = sum;
    }
    aggregate = w.aggregate;
  }
  template <int N, class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Operation operation,
                                       GS_DIALECT_HERE) const {
    T aggregate;
    ExclusiveScan(input, output, initial, operation, aggregate, here);
  }
  template <int N, class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Operation operation, T& aggregate,
                                       GS_DIALECT_HERE) const {
    T sum;
    ExclusiveScan(detail::folded(input, operation), sum, initial, operation, aggregate, here);
    for (int i = 0; i < N; ++i) {
      const T item = input[i];
      output[i] = sum;
      sum = operation(sum, item);
    }
  }
  ///@}

 private:
  struct warp_result {
    T inclusive, before, aggregate;  // of this warp up to the lane; of the warps before it; of all
    bool has_before;
  };

  template <class Operation>
  GS_DIALECT_CUB_FN warp_result scan_warp(T input, Operation operation, const std::source_location& here) const {
    warp_result w{};
    const unsigned lanes = threads::in_this_warp(), warp = threads::warp();
    WarpScan<T>(lanes).InclusiveScan(input, w.inclusive, operation, here);
    if (threads::rank() % 32 == lanes - 1) storage_.of_warps[warp] = w.inclusive;
    __syncthreads(here);
    w.aggregate = storage_.of_warps[0];
    w.has_before = warp > 0;
    for (unsigned other = 1; other < threads::warps; ++other) {
      if (other == warp) w.before = w.aggregate;
      w.aggregate = operation(w.aggregate, storage_.of_warps[other]);
    }
    return w;
  }

  TempStorage& storage_;
};

}  // namespace cub
