#pragma once
// The record of one run: what was measured, on which machine, with which build. The tables and the JSON document show
// it.

#include <string>
#include <vector>

#include "bench/limits/machine_limits.h"
#include "bench/machine/machine.h"
#include "bench/measure/child_contest.h"
#include "bench/measure/run.h"
#include "bench/report/growth.h"

namespace bench {

struct run_record {
  std::string command;   ///< as it was typed
  std::string date;      ///< start of the run, UTC, ISO 8601
  std::string commit;    ///< of the sources; with "-dirty" if they differ from it
  std::string compiler;  ///< and its version
  std::string flags;     ///< the compiler flags that decide the speed
  std::string flavour;   ///< "plain" or "checked"
  std::string build;     ///< "Release"
  bool quick;            ///< sizes too small for meaningful figures
  std::size_t rounds;    ///< at most
  double seconds;        ///< that the run took
  bench::machine machine;
  std::vector<std::string> peers;         ///< outside ones, with their versions
  std::vector<std::string> absent_peers;  ///< sentences: what is missing
  std::vector<limit> limits;
  std::vector<row> rows;
  std::vector<growth> growths;
  std::vector<scaling> scalings;
};

/// Whether two entrants of a workload disagreed.
bool is_wrong(const run_record& record);

/// The record of a run that starts now.
run_record begin_record(int argument_count, const char* const* arguments);

}  // namespace bench
