#pragma once
// Memory traffic and nothing else, on all cores: the copy and triad of STREAM (McCalpin, "Memory Bandwidth and Machine
// Balance in Current High Performance Computers", 1995), and plain reading. Their speed is the limit of every
// loop with the same traffic.

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/limits/stores.h"

namespace bench::limits {

/// to = from. Both begin at a multiple of 64 and have the same number of bytes.
void copy(std::span<const std::byte> from, std::span<std::byte> to, stores how);

/// a[i] = b[i] + 3 * c[i]: two arrays read, one written. All begin at a multiple of 64 and have the same length.
void triad(std::span<float> a, std::span<const float> b, std::span<const float> c, stores how);

/// Reads everything, whole cache lines from a multiple of 64; returns the exclusive or of the data, so that no
/// compiler can leave the reads out.
std::uint32_t read(std::span<const std::byte> from);

/// Every core reads its own part of `from` `passes` times: the bandwidth of the cache it fits into.
/// `from` is divided evenly among the cores.
std::uint32_t read_repeatedly(std::span<const std::byte> from, std::size_t passes);

/// The number of threads of the functions above and of every other OpenMP loop: one per core unless set otherwise.
std::size_t threads();
void use_threads(std::size_t count);

}  // namespace bench::limits
