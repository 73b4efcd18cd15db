#pragma once
// A saved run, and a new run compared with it: only changes that exceed the noise.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure/statistics.h"
#include "bench/report/run_record.h"

namespace bench {

/// The part of a run's JSON document that a comparison needs.
struct baseline {
  struct entrant {
    std::string workload;
    double elements;
    std::string name;
    enum role role;
    std::vector<double> seconds;
  };
  struct limit {
    std::string name, unit;
    double seconds;  ///< of one call; the median
  };
  std::filesystem::path file;
  std::string date, commit;
  bool quick = false;
  std::vector<std::pair<std::string, std::string>> conditions;  ///< the machine and the build, as `conditions_of` says
  std::vector<limit> limits;
  std::vector<entrant> entrants;
};

/// Reads a document of schema gridstride-bench/1 or /2. Throws gs::error, in a sentence, if there is no such file, if
/// it isn't JSON or is cut off, is another document, lacks a part, or has a time that isn't positive.
baseline read_baseline(const std::filesystem::path& file);
/// The same of a text; `file` is its name.
baseline read_baseline_text(std::string_view text, const std::filesystem::path& file);

/// The conditions that must agree for times to be comparable: {"processor", "..."}, {"compiler", "..."}, and so on.
std::vector<std::pair<std::string, std::string>> conditions_of(const run_record& record);

/// One entrant in both runs.
struct change {
  std::string workload;
  double elements;
  std::string name;
  enum role role;
  estimate ratio;  ///< time now / time then, as far apart as the intervals of both runs allow
  estimate drift;  ///< of the limits beside it: the least and the largest of their ratios, and 1
  bool exceeds() const { return ratio.low > drift.high || ratio.high < drift.low; }
};

struct comparison_with_baseline {
  baseline then;
  std::vector<std::string> differences;  ///< of the conditions, a sentence each
  bool quick = false;                    ///< at least one of the runs was
  bool same_machine = true;              ///< processor and number of cores alike
  estimate drift{1, 1, 1};               ///< of the machine's own limits
  std::vector<change> changes;           ///< of every entrant measured in both runs, largest slow-down first
  std::size_t unpaired = 0;              ///< of ours, in workloads of this run, that only one run measured

  /// Whether something of ours is slower on the same machine, in full runs, beyond the noise of both runs and the
  /// machine's drift.
  bool slower() const;
};

/// Pairs what both runs measured by workload, number of elements and name. A machine whose limits became slower between
/// the runs makes everything slower by as much: a change counts only where its whole interval lies beyond the ratios of
/// the limits of its own workload, and of the machine's bandwidth and arithmetic.
comparison_with_baseline compare(const run_record& now, baseline then);

/// For the terminal: the conditions that differ, the drift, and the changes that exceed it.
std::string comparison_text(const comparison_with_baseline& c);

}  // namespace bench
