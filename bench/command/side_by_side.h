#pragma once
// The default run: measures the machine's limits, every workload, and how its cost grows.

#include "bench/command/choices.h"
#include "bench/report/run_record.h"

namespace bench {

/// Measures, prints, and returns the exit status.
int measure_side_by_side(const choices& chosen, run_record record);

}  // namespace bench
