#pragma once
// The warp operations of gs::thread, for both devices.

#include <bit>
#include <cstring>
#include <type_traits>

#if defined(__CUDACC__)
#define _CG_LIMIT_INCLUDED_DEPENDENCIES  // grid_sync needs nothing of libcu++, which takes seconds to compile
#include <cooperative_groups.h>
#endif

#include "runtime/core/config.h"
#include "runtime/kernel/thread.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// The bits of a value that lanes exchange, as an unsigned integer of its size.
template <class T>
struct lane_bits {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "lanes exchange values of 4 or 8 bytes");
  using type = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

  GS_FN static type of(const T& value) {
    type bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  GS_FN static T from(type bits) {
    T value;
    memcpy(static_cast<void*>(&value), &bits, sizeof value);  // a struct whose members have initial values, too
    return value;
  }
  GS_FN static T from(std::uint64_t bits) requires(sizeof(T) == 4) { return from(static_cast<type>(bits)); }
  GS_FN static T from(std::uint64_t bits) requires(sizeof(T) == 8 && !std::is_same_v<std::uint64_t, type>) {
    return from(static_cast<type>(bits));
  }
};

}  // namespace detail

GS_FN inline void thread::grid_sync([[maybe_unused]] std::source_location here) const {
#if defined(__CUDA_ARCH__)
  cooperative_groups::this_grid().sync();
#else
  fibers().wait_for_grid(thread_rank(), here);
#endif
}

GS_FN inline void thread::warp_sync(std::uint32_t mask, [[maybe_unused]] std::source_location here) const {
#if defined(__CUDA_ARCH__)
  __syncwarp(mask);
#else
  meet({detail::warp_action::sync, mask, 0, 0, warp_size, here});
#endif
}

template <class T>
GS_FN T thread::shuffle(T value, unsigned source, std::uint32_t mask, unsigned width,
                        [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  return bits::from(__shfl_sync(mask, bits::of(value), static_cast<int>(source), static_cast<int>(width)));
#else
  return bits::from(meet({detail::warp_action::shuffle, mask, bits::of(value), source, width, here}));
#endif
}
template <class T>
GS_FN T thread::shuffle_up(T value, unsigned delta, std::uint32_t mask, unsigned width,
                           [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  return bits::from(__shfl_up_sync(mask, bits::of(value), delta, static_cast<int>(width)));
#else
  return bits::from(meet({detail::warp_action::shuffle_up, mask, bits::of(value), delta, width, here}));
#endif
}
template <class T>
GS_FN T thread::shuffle_down(T value, unsigned delta, std::uint32_t mask, unsigned width,
                             [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  return bits::from(__shfl_down_sync(mask, bits::of(value), delta, static_cast<int>(width)));
#else
  return bits::from(meet({detail::warp_action::shuffle_down, mask, bits::of(value), delta, width, here}));
#endif
}
template <class T>
GS_FN T thread::shuffle_xor(T value, unsigned lanes, std::uint32_t mask, unsigned width,
                            [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  return bits::from(__shfl_xor_sync(mask, bits::of(value), static_cast<int>(lanes), static_cast<int>(width)));
#else
  return bits::from(meet({detail::warp_action::shuffle_xor, mask, bits::of(value), lanes, width, here}));
#endif
}

GS_FN inline std::uint32_t thread::ballot(bool predicate, std::uint32_t mask,
                                          [[maybe_unused]] std::source_location here) const {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(mask, predicate);
#else
  return static_cast<std::uint32_t>(meet({detail::warp_action::ballot, mask, predicate, 0, warp_size, here}));
#endif
}
GS_FN inline bool thread::all(bool predicate, std::uint32_t mask, std::source_location here) const {
#if defined(__CUDA_ARCH__)
  return __all_sync(mask, predicate) != 0;
#else
  return ballot(!predicate, mask, here) == 0;
#endif
}
GS_FN inline bool thread::any(bool predicate, std::uint32_t mask, std::source_location here) const {
#if defined(__CUDA_ARCH__)
  return __any_sync(mask, predicate) != 0;
#else
  return ballot(predicate, mask, here) != 0;
#endif
}

template <class T>
GS_FN std::uint32_t thread::match_any(T value, std::uint32_t mask, [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  return __match_any_sync(mask, bits::of(value));
#else
  return static_cast<std::uint32_t>(meet({detail::warp_action::match_any, mask, bits::of(value), 0, warp_size, here}));
#endif
}
template <class T>
GS_FN std::uint32_t thread::match_all(T value, std::uint32_t mask, [[maybe_unused]] std::source_location here) const {
  using bits = detail::lane_bits<T>;
#if defined(__CUDA_ARCH__)
  int all_alike = 0;
  return __match_all_sync(mask, bits::of(value), &all_alike);
#else
  return static_cast<std::uint32_t>(meet({detail::warp_action::match_all, mask, bits::of(value), 0, warp_size, here}));
#endif
}

GS_FN inline std::uint32_t thread::active_mask([[maybe_unused]] std::source_location here) const {
#if defined(__CUDA_ARCH__)
  return __activemask();
#else
  return static_cast<std::uint32_t>(meet({detail::warp_action::active_mask, 0, 0, 0, warp_size, here}));
#endif
}

}  // namespace gs::inline GS_FLAVOUR
