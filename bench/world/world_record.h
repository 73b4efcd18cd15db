#pragma once
// The record of a run of all duels: a table for people and one JSON document for programs.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/run_record.h"
#include "bench/world/duel.h"

namespace bench {

/// What mpi4py has measured of a verb, as another program.
struct mpi4py_time {
  std::string verb;
  std::size_t bytes;
  summary seconds;
};
/// What the file says that with_mpi4py.py has written: its version and times, or why there are none.
struct mpi4py_times {
  std::string version, lacking;
  std::vector<mpi4py_time> times;

  const mpi4py_time* of(const duel_result& r) const;
};
/// Throws gs::error for a file that isn't such a document.
mpi4py_times read_mpi4py_times(const std::string& file);

struct world_record {
  run_record run{};
  std::string mpi;  ///< "Open MPI v4.1.4"
  int ranks = 0;
  unsigned cores = 0;  ///< that a rank computes with
  duel_rules rules;
  mpi4py_times mpi4py;
  double disturbed = 0;  ///< share of all cores' time that other programs had meanwhile
  std::vector<duel_result> results;
};

/// The head of the table, and a line of it; what has to be said below it.
///@{
std::string heading_text(const world_record& record);
std::string line_text(const duel_result& r, const world_record& record);
std::string ending_text(const world_record& record);
///@}
nlohmann::ordered_json to_json(const world_record& record);

}  // namespace bench
