#pragma once
// Barriers, votes, shuffles and fences, under CUDA's names: CUDA C++ Programming Guide, "Synchronization Functions",
// "Warp Vote Functions", "Warp Match Functions", "Warp Shuffle Functions", "Memory Fence Functions".

#include <cstring>
#include <source_location>
#include <type_traits>

#include "dialect/language/this_thread.h"

#define GS_DIALECT_HERE std::source_location here = std::source_location::current()
#define GS_DIALECT_FN [[gnu::always_inline]] inline

GS_DIALECT_FN void __syncthreads(GS_DIALECT_HERE) { dialect::this_thread().sync(here); }
GS_DIALECT_FN int __syncthreads_count(int predicate, GS_DIALECT_HERE) {
  return static_cast<int>(dialect::this_thread().sync_count(predicate != 0, here));
}
GS_DIALECT_FN int __syncthreads_and(int predicate, GS_DIALECT_HERE) {
  return dialect::this_thread().sync_and(predicate != 0, here);
}
GS_DIALECT_FN int __syncthreads_or(int predicate, GS_DIALECT_HERE) {
  return dialect::this_thread().sync_or(predicate != 0, here);
}
GS_DIALECT_FN void __syncwarp(unsigned mask = gs::full_mask, GS_DIALECT_HERE) {
  dialect::this_thread().warp_sync(mask, here);
}

GS_DIALECT_FN void __threadfence_block() { dialect::this_thread().block_fence(); }
GS_DIALECT_FN void __threadfence() { dialect::this_thread().device_fence(); }
GS_DIALECT_FN void __threadfence_system() { dialect::this_thread().device_fence(); }

GS_DIALECT_FN int __all_sync(unsigned mask, int predicate, GS_DIALECT_HERE) {
  return dialect::this_thread().all(predicate != 0, mask, here);
}
GS_DIALECT_FN int __any_sync(unsigned mask, int predicate, GS_DIALECT_HERE) {
  return dialect::this_thread().any(predicate != 0, mask, here);
}
GS_DIALECT_FN unsigned __ballot_sync(unsigned mask, int predicate, GS_DIALECT_HERE) {
  return dialect::this_thread().ballot(predicate != 0, mask, here);
}
GS_DIALECT_FN unsigned __activemask(GS_DIALECT_HERE) { return dialect::this_thread().active_mask(here); }

namespace dialect {

/// A value as the lanes of a warp exchange it: of 4 or 8 bytes. A half takes the lower part of 4.
template <class T>
struct lane_value {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "lanes of a warp exchange values of 2, 4 or 8 bytes");
  using type = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

  [[gnu::always_inline]] static type of(const T& value) {
    type bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  [[gnu::always_inline]] static T from(type bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  }
};

}  // namespace dialect

template <class T>
GS_DIALECT_FN T __shfl_sync(unsigned mask, T value, int lane, int width = 32, GS_DIALECT_HERE) {
  using bits = dialect::lane_value<T>;
  return bits::from(dialect::this_thread().shuffle(bits::of(value), static_cast<unsigned>(lane), mask,
                                                   static_cast<unsigned>(width), here));
}
template <class T>
GS_DIALECT_FN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, GS_DIALECT_HERE) {
  using bits = dialect::lane_value<T>;
  return bits::from(
      dialect::this_thread().shuffle_up(bits::of(value), delta, mask, static_cast<unsigned>(width), here));
}
template <class T>
GS_DIALECT_FN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, GS_DIALECT_HERE) {
  using bits = dialect::lane_value<T>;
  return bits::from(
      dialect::this_thread().shuffle_down(bits::of(value), delta, mask, static_cast<unsigned>(width), here));
}
template <class T>
GS_DIALECT_FN T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, GS_DIALECT_HERE) {
  using bits = dialect::lane_value<T>;
  return bits::from(dialect::this_thread().shuffle_xor(bits::of(value), static_cast<unsigned>(lanes), mask,
                                                       static_cast<unsigned>(width), here));
}
template <class T>
GS_DIALECT_FN unsigned __match_any_sync(unsigned mask, T value, GS_DIALECT_HERE) {
  return dialect::this_thread().match_any(dialect::lane_value<T>::of(value), mask, here);
}
template <class T>
GS_DIALECT_FN unsigned __match_all_sync(unsigned mask, T value, int* all_alike, GS_DIALECT_HERE) {
  const unsigned alike = dialect::this_thread().match_all(dialect::lane_value<T>::of(value), mask, here);
  *all_alike = alike != 0;
  return alike;
}
