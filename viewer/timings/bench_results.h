#pragma once
// The results that `./gridstride bench --json` has written: bench/README.md describes the document.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace viewer {

/// Seconds per call over the rounds.
struct time_spread {
  double median = 0, lower_quartile = 0, upper_quartile = 0, best = 0;
};

struct bench_entrant {
  std::string name = {};
  std::string role = {};      ///< "ours", "peer" or "limit"
  std::string hardware = {};  ///< "all cores", "one core" or "gpu"; empty in a file of the first schema
  time_spread seconds = {};
  std::optional<double> gigabytes_per_second = {}, gigaflops = {}, share_of_limit = {};
  std::optional<double> ratio = {}, ratio_low = {}, ratio_high = {};  ///< to the best peer, with its 95 % interval
  std::string wanted = {}, verdict = {};
};

struct bench_workload {
  std::string name = {}, text = {};
  double elements = 0, bytes = 0, operations = 0;  ///< per call; 0: not known
  double disturbed = 0;                            ///< share of the cores that other programs had
  std::string skipped = {};                        ///< why, if it was
  std::vector<bench_entrant> entrants = {};
};

/// From how many elements on all cores, or a GPU, are faster than one core, or our fastest entrant is faster than an
/// outside peer's. Unknown members are left out.
struct bench_crossover {
  std::string winner = {}, other = {};     ///< names of entrants
  std::optional<double> not_at = {};       ///< the largest number measured at which the winner is slower for sure
  std::optional<double> about = {};        ///< where both take as long
  std::optional<double> for_sure_at = {};  ///< the least number measured from which on it is faster for sure
};

/// The time as a power of the number of elements, with the exponent's 95 % interval.
struct bench_exponent {
  std::string name = {};  ///< of the entrant
  double exponent = 0;
  std::optional<double> low = {}, high = {};
  double deviation = 1;  ///< how many times the worst size lies off the line
};

/// How the cost of a workload grows with its size.
struct bench_growth {
  std::string name = {};
  std::vector<bench_workload> sizes = {};  ///< the smaller first; the one among the run's workloads is here as well
  std::vector<bench_exponent> exponents = {};
  std::vector<bench_crossover> crossovers = {};
};

/// A workload on 1, 2, ... cores.
struct bench_scaling {
  struct on_cores {
    double cores = 0;
    time_spread seconds = {};
    double speedup = 0;                         ///< time on one core / this time
    std::optional<double> low = {}, high = {};  ///< its 95 % interval
    double efficiency = 0;                      ///< speedup / cores
  };
  struct entrant {
    std::string name = {}, role = {};
    std::vector<on_cores> on = {};
  };
  std::string name = {}, text = {};
  double elements = 0;
  std::string skipped = {};  ///< why, if it was
  std::vector<entrant> entrants = {};
};

struct bench_limit {
  std::string name = {}, unit = {};
  double value = 0;
};

struct bench_cache {
  int level = 0;
  double bytes = 0, cores = 1;  ///< of one of them, and how many cores share it
};

struct bench_run {
  std::filesystem::path file = {};
  std::string date = {}, commit = {}, command = {}, processor = {};
  int cores = 0;
  std::vector<bench_cache> caches = {};
  std::vector<bench_limit> limits = {};
  std::vector<bench_workload> workloads = {};
  std::vector<bench_growth> growths = {};
  std::vector<bench_scaling> scalings = {};  ///< of a run with --cores, which has no workloads

  /// The results of a workload; null if there are none.
  const bench_workload* find(const std::string& workload) const;
  const bench_growth* growth_of(const std::string& workload) const;
  const bench_scaling* scaling_of(const std::string& workload) const;
  /// All workloads with results, in the order of the document.
  std::vector<std::string> names() const;
};

/// Throws gs::error if the text is no such document: not JSON, cut off, of another schema, a member of the wrong type.
bench_run read_bench_run(const std::string& text, const std::filesystem::path& file);

/// All results in the folders, by date, and why the others can't be read, a sentence each.
struct bench_files {
  std::vector<bench_run> runs;
  std::vector<std::string> unreadable;
};
bench_files read_bench_files(const std::vector<std::filesystem::path>& folders);

/// How a time compares with an earlier one. `change` is 0.1 if it takes 10 % longer; it is `real` only if the two
/// ranges between the quartiles don't touch.
struct comparison {
  double change = 0;
  bool real = false;
};
comparison compare(const time_spread& earlier, const time_spread& later);
/// "12 % less time", "3 % more time, within the noise", "the same".
std::string comparison_text(const comparison& c);

}  // namespace viewer
