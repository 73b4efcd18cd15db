#include "workbook/command/rank_of_launch.h"

#include <cstdlib>

namespace workbook {

int rank_of_launch() {
  // Open MPI; PRRTE and other launchers by PMIx; MPICH and Intel MPI by PMI; Slurm's srun. In this order: a job of
  // Slurm may call mpirun, and then all its ranks inherit the number of one Slurm task.
  for (const char* const variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* const value = std::getenv(variable)) return std::atoi(value);
  return 0;
}

}  // namespace workbook
