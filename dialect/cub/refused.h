#pragma once
// What CUB has and the dialect hasn't: a source that calls it doesn't compile, with a sentence that says what is there.

#include "dialect/runtime/errors.h"

#define GS_DIALECT_NO_CALL(name, sentence)                                            \
  template <class... A>                                                               \
  static cudaError_t name(A&&...) {                                                   \
    static_assert(sizeof...(A) == 9999, "cub: " #name " isn't supported: " sentence); \
    return cudaErrorNotSupported;                                                     \
  }

namespace cub {

struct DeviceSegmentedReduce {
#define GS_DIALECT_NO_SEGMENTS(name) \
  GS_DIALECT_NO_CALL(name, "give each segment a block, and take its elements together by cub::BlockReduce")
  GS_DIALECT_NO_SEGMENTS(Reduce)
  GS_DIALECT_NO_SEGMENTS(Sum)
  GS_DIALECT_NO_SEGMENTS(Min)
  GS_DIALECT_NO_SEGMENTS(Max)
  GS_DIALECT_NO_SEGMENTS(ArgMin)
  GS_DIALECT_NO_SEGMENTS(ArgMax)
#undef GS_DIALECT_NO_SEGMENTS
};

#define GS_DIALECT_NO_SORT(type, sentence)            \
  struct type {                                       \
    GS_DIALECT_NO_CALL(SortKeys, sentence)            \
    GS_DIALECT_NO_CALL(SortKeysDescending, sentence)  \
    GS_DIALECT_NO_CALL(SortPairs, sentence)           \
    GS_DIALECT_NO_CALL(SortPairsDescending, sentence) \
    GS_DIALECT_NO_CALL(StableSortKeys, sentence)      \
    GS_DIALECT_NO_CALL(StableSortPairs, sentence)     \
  };
GS_DIALECT_NO_SORT(DeviceMergeSort, "sort numbers by cub::DeviceRadixSort, anything else by thrust::sort")
GS_DIALECT_NO_SORT(DeviceSegmentedSort, "sort each segment by cub::DeviceRadixSort")
GS_DIALECT_NO_SORT(DeviceSegmentedRadixSort, "sort each segment by cub::DeviceRadixSort")
#undef GS_DIALECT_NO_SORT

struct DevicePartition {
  GS_DIALECT_NO_CALL(Flagged, "call cub::DeviceSelect for both parts, or thrust::partition")
  GS_DIALECT_NO_CALL(If, "call cub::DeviceSelect for both parts, or thrust::partition")
};
struct DeviceFor {
  GS_DIALECT_NO_CALL(Bulk, "launch a kernel, or call thrust::for_each")
  GS_DIALECT_NO_CALL(ForEach, "launch a kernel, or call thrust::for_each")
  GS_DIALECT_NO_CALL(ForEachN, "launch a kernel, or call thrust::for_each")
};

}  // namespace cub

#undef GS_DIALECT_NO_CALL
