#pragma once
// The number of this process among those that a launcher such as mpirun or srun has started.

namespace workbook {

/// Read from the environment, before anything of MPI runs: 0 in a process that was started alone.
int rank_of_launch();

}  // namespace workbook
