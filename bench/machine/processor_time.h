#pragma once
// Processor time: what this process and those it started have used of the cores.

#include <sys/types.h>

#include <span>

namespace bench {

/// Seconds, summed over all threads of this process and of the others named; one that has ended counts nothing.
double processor_seconds(std::span<const pid_t> others = {});

}  // namespace bench
