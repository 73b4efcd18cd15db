#pragma once
// program_times: the timings of a user's own program.

#include <string>
#include <vector>

namespace bench {

/// One gs::timeit of a program.
struct program_time {
  std::string name;                 ///< of the report's timing, else where it stands: "wave.cpp:31"
  std::vector<double> run_seconds;  ///< of one execution, one per run; never empty
  double bytes = 0;                 ///< that one execution moves; 0: not known
  double operations = 0;            ///< that one execution computes; 0: not known
};

/// Reads what gs::timeit writes to GRIDSTRIDE_TIMEIT_FILE, in order. Runs that weren't timed are left out. Throws
/// gs::error for a malformed line.
std::vector<program_time> read_times(const std::string& lines);

/// The timings of a report, as --json prints it. Throws gs::error for a text that isn't a report.
std::vector<program_time> read_report_times(const std::string& document);

}  // namespace bench
