#pragma once
// What one request of a warp costs: sectors of global memory, wavefronts of shared memory, atomics on one address.
//
// Global memory moves in sectors of 32 bytes: CUDA C++ Programming Guide, "Device Memory Accesses". Shared memory has
// 32 banks of 4 bytes, and lanes that touch one word share it: the same, "Shared Memory" of compute capability 5.x and
// later. Wide accesses are done in phases that conflict only within themselves, 16 lanes at a time for 8 bytes and 8
// for 16: P. Springer and C.-H. Yu, "cuTENSOR: High-performance Tensor Operations in CUDA", GTC 2019, S9593.

#include <cstdint>
#include <span>

#include "runtime/core/config.h"
#include "runtime/instruments/results/counters.h"

namespace gs::inline GS_FLAVOUR {

inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned shared_banks = 32;
inline constexpr unsigned bank_bytes = 4;

/// What is not of the request's space is 0: sectors belong to global memory, wavefronts to shared memory.
struct request_cost {
  std::uint32_t bytes_used = 0;  ///< distinct bytes that the lanes asked for
  std::uint32_t sectors = 0;
  std::uint32_t ideal_sectors = 0;  ///< bytes_used side by side from a sector's start: bytes_used / 32, rounded up
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;  ///< without bank conflicts: the phases that have an active lane
  std::uint32_t addresses = 0;         ///< distinct
  std::uint32_t most_per_address = 0;  ///< lanes on the busiest one: so many atomics are done one after the other

  bool operator==(const request_cost&) const = default;
};

/// The cost of one request. `addresses` are those of the active lanes, in bytes and in order of the lanes; every lane
/// accesses `bytes` of them, 1 to 16. Bit k of `active` says that lane k is; the lanes decide the phases of wide
/// accesses to shared memory. Throws gs::error for other sizes, and for addresses that aren't one per active lane.
request_cost cost_of_request(std::span<const std::uint64_t> addresses, unsigned bytes, memory_space space,
                             std::uint32_t active);

/// The same where the active lanes are 0 to addresses.size() - 1.
request_cost cost_of_request(std::span<const std::uint64_t> addresses, unsigned bytes, memory_space space);

/// The same for the request of an access picture, its lanes in any order. Throws gs::error also for a lane that no warp
/// has or that comes twice.
request_cost cost_of(const warp_request& request);

/// The request of a whole warp in which lane k accesses `bytes` at `first` + k * `stride`, all in bytes: a row of an
/// array where the stride is `bytes`, a column where it is a row's length.
warp_request strided_request(memory_space space, access_kind kind, std::uint64_t stride, std::uint64_t first = 0,
                             unsigned bytes = 4);

/// Lanes of a warp that access shared memory together: 32, for accesses of over 4 bytes 16, of over 8 bytes 8.
constexpr unsigned lanes_per_phase(unsigned bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8; }

}  // namespace gs::inline GS_FLAVOUR
