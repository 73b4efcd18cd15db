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

struct bench_limit {
  std::string name = {}, unit = {};
  double value = 0;
};

struct bench_run {
  std::filesystem::path file = {};
  std::string date = {}, commit = {}, command = {}, processor = {};
  int cores = 0;
  std::vector<bench_limit> limits = {};
  std::vector<bench_workload> workloads = {};

  const bench_workload* find(const std::string& workload) const;
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
