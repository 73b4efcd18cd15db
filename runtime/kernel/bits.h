#pragma once
// Counting and reversing bits, and the fused multiply-add, the same on both devices.

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// An unsigned integer of 32 or 64 bits.
template <class T>
concept bit_word = std::unsigned_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

}  // namespace detail

/// How many bits are 1 (CUDA: __popc, __popcll).
template <detail::bit_word T>
GS_FN int popcount(T x) {
#if defined(__CUDA_ARCH__)
  return sizeof(T) == 4 ? __popc(static_cast<unsigned>(x)) : __popcll(x);
#else
  return std::popcount(x);
#endif
}

/// How many bits are 0 above the highest 1; all of them for 0 (CUDA: __clz, __clzll).
template <detail::bit_word T>
GS_FN int count_leading_zeros(T x) {
#if defined(__CUDA_ARCH__)
  return sizeof(T) == 4 ? __clz(static_cast<int>(x)) : __clzll(static_cast<long long>(x));
#else
  return std::countl_zero(x);
#endif
}

/// The position of the lowest 1, counted from 1; 0 for 0 (CUDA: __ffs, __ffsll).
template <detail::bit_word T>
GS_FN int find_first_set(T x) {
#if defined(__CUDA_ARCH__)
  return sizeof(T) == 4 ? __ffs(static_cast<int>(x)) : __ffsll(static_cast<long long>(x));
#else
  return x == 0 ? 0 : std::countr_zero(x) + 1;
#endif
}

/// The bits in the opposite order (CUDA: __brev, __brevll). On the CPU by swapping halves of halves: H. S. Warren,
/// Hacker's Delight, 7-1.
template <detail::bit_word T>
GS_FN T reverse_bits(T x) {
#if defined(__CUDA_ARCH__)
  return sizeof(T) == 4 ? static_cast<T>(__brev(static_cast<unsigned>(x))) : static_cast<T>(__brevll(x));
#else
  constexpr auto mask = [](std::uint64_t pattern) { return static_cast<T>(pattern); };
  x = ((x >> 1) & mask(0x5555555555555555)) | ((x & mask(0x5555555555555555)) << 1);
  x = ((x >> 2) & mask(0x3333333333333333)) | ((x & mask(0x3333333333333333)) << 2);
  x = ((x >> 4) & mask(0x0f0f0f0f0f0f0f0f)) | ((x & mask(0x0f0f0f0f0f0f0f0f)) << 4);
  return sizeof(T) == 4 ? static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(x)))
                        : static_cast<T>(__builtin_bswap64(x));
#endif
}

/// x * y + z, rounded once.
template <std::floating_point T>
GS_FN T fma(T x, T y, T z) {
#if defined(__CUDA_ARCH__)
  return ::fma(x, y, z);
#else
  return std::fma(x, y, z);
#endif
}

}  // namespace gs::inline GS_FLAVOUR
