#pragma once
// --cores: every workload on one core, on two, ... on all.

#include "bench/command/choices.h"
#include "bench/report/run_record.h"

namespace bench {

/// Measures, prints, and returns the exit status.
int measure_on_cores(const choices& chosen, run_record record);

/// The other side: the process of this program that measures one workload on some of the cores. It reads requests from
/// standard input and answers on standard output (measure/child_contest.h). Throws gs::error if there is no such
/// workload.
int serve(const choices& chosen);

}  // namespace bench
