#include "runtime/world/launcher.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

int ranks_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (!text) return 0;
  int value = 0;
  const std::string_view digits(text);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// The first variable that is set, and the MPI that it speaks for. Open MPI's mpirun sets PMIX_RANK, too, which srun
// does with --mpi=pmix; Hydra, MPICH's mpirun, sets the variables of PMI-1, which srun does with --mpi=pmi2.
struct launcher_mark {
  const char* set;
  const char* mpi;
  const char* ranks;
};
constexpr launcher_mark marks[] = {{"OMPI_COMM_WORLD_SIZE", "openmpi", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "mpich", "PMI_SIZE"},
                                   {"PMI_FD", "mpich", "PMI_SIZE"},
                                   {"PMIX_RANK", "openmpi", "SLURM_NTASKS"}};

}  // namespace

rank_launcher this_launcher() {
  rank_launcher found;
  for (const launcher_mark& mark : marks)
    if (std::getenv(mark.set)) {
      found = {mark.mpi, mark.set, ranks_in(mark.ranks)};
      break;
    }
  const char* const chosen = std::getenv("GRIDSTRIDE_MPI");
  if (!chosen || !*chosen) return found;
  const std::string_view name(chosen);
  if (name == "none") return {};
  if (name != "openmpi" && name != "mpich")
    throw error("GRIDSTRIDE_MPI", "'" + std::string(name) + "'", "use openmpi, mpich or none, or leave it unset");
  return {std::string(name), found.variable.empty() ? "GRIDSTRIDE_MPI" : found.variable, found.ranks};
}

}  // namespace gs::inline GS_FLAVOUR::detail
