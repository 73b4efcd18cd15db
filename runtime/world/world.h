#pragma once
// gs::world(): all ranks of a program.

#include "runtime/core/config.h"
#include "runtime/world/communicator.h"

namespace gs::inline GS_FLAVOUR {

/// All ranks of this program: the processes that a launcher of Open MPI or MPICH (mpirun, srun) has started together. A
/// program that runs alone, or on a machine without MPI, is a world of one rank, and all verbs work.
///
/// The first call starts the message library, and chooses this rank's part of the machine: its share of the cores, and
/// with several GPUs one of its own. It has to come before the first array on a device. Throws gs::machine_error if the
/// ranks were started by an MPI that this build has no part for, and gs::error if launcher and library differ, so that
/// each rank would be alone. GRIDSTRIDE_MPI=none makes each process a world of one; openmpi or mpich chooses.
const communicator& world();

}  // namespace gs::inline GS_FLAVOUR
