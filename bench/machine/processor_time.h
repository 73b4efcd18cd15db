#pragma once
// Processor time: how much this process and those that it started have used the cores.

#include <sys/types.h>

#include <span>

namespace bench {

/// Seconds, summed over all threads of this process and of `others`; a process that has ended doesn't count.
double processor_seconds(std::span<const pid_t> others = {});

}  // namespace bench
