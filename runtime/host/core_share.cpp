#include "runtime/host/core_share.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

unsigned processes_in(const char* variable) {
  const char* const text = std::getenv(variable);
  unsigned value = 0;
  if (text) std::from_chars(text, text + std::string_view(text).size(), value);
  return value;
}

std::optional<core_share>& set_share() {
  static std::optional<core_share> share;
  return share;
}

}  // namespace

core_share launched_here() {
  for (const auto& [process, processes] :
       {std::pair{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        std::pair{"MPI_LOCALRANKID", "MPI_LOCALNRANKS"}, std::pair{"SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"}})
    if (const unsigned n = processes_in(processes); n > 0) return {processes_in(process), n};
  return {};
}

core_share this_core_share() {
  if (set_share()) return *set_share();
  // A process that may not use all cores has been bound to those that it has.
  const bool is_bound = tbb::info::default_concurrency() != sysconf(_SC_NPROCESSORS_ONLN);
  return is_bound ? core_share{} : launched_here();
}

void set_core_share(const core_share& share) {
  set_share() = share;
  if (std::getenv("GRIDSTRIDE_THREADS")) return;
  const auto cores = cores_of_share(static_cast<unsigned>(tbb::info::default_concurrency()), share);
  if (core_count() <= cores) return;
  // Streams need two threads beside the one that waits: see core_pool.
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(cores, 3u));
}

unsigned cores_of_share(unsigned cores, const core_share& share) {
  return std::max(cores / share.processes + (share.process < cores % share.processes ? 1 : 0), 1u);
}

}  // namespace gs::inline GS_FLAVOUR::detail
