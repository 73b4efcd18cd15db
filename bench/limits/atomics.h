#pragma once
// Atomic additions: how many a second the cores manage, by what they share.

#include <cstddef>
#include <cstdint>

namespace bench::limits {

/// What the cores share: the counter itself, the cache line in which each has its own (false sharing), or nothing.
enum class sharing { counter, line, nothing };

/// Every core adds 1 to its counter `times` times, relaxed; returns the sum of all counters, which start at zero.
std::uint64_t add_atomically(std::size_t times, sharing shared);

}  // namespace bench::limits
