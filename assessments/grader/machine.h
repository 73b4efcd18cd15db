#pragma once
// The machine that grades: its name in a verdict, and the memory it has to give.

#include <cstdint>
#include <string>

namespace grader {

/// "AMD EPYC 9354, 4 cores".
std::string machine_name();

/// Bytes that can be taken now without swapping; no more than the container's own limit leaves.
std::uint64_t free_memory();

}  // namespace grader
