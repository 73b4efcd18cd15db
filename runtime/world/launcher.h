#pragma once
// launcher: who has started this process, as its environment tells. Known before any message library runs.

#include <optional>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

struct rank_launcher {
  std::string mpi;       ///< "openmpi" or "mpich": whose ranks these are; empty where the process runs alone
  std::string variable;  ///< the variable that says so
  int ranks = 1;         ///< that it has started, 0 where it doesn't say
};

/// By the variables that mpirun and srun set, and GRIDSTRIDE_MPI, which chooses openmpi, mpich or none. Throws
/// gs::error for another value of it.
rank_launcher this_launcher();

}  // namespace gs::inline GS_FLAVOUR::detail
