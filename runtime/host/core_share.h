#pragma once
// core_share: the cores of a machine on which several processes of one program compute, such as the ranks of a world.

#include <optional>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// This process is number `process` of the `processes` that share something of a machine.
struct core_share {
  unsigned process = 0;
  unsigned processes = 1;
};

/// Of all processes that the launcher of Open MPI, MPICH or Slurm has started on this machine, by the environment.
core_share launched_here();

/// What set_core_share has said; before that, what the launchers of Open MPI and MPICH say in the environment.
core_share this_core_share();

/// From now on core_count() is of this share. Where it has been asked before, and said more, the pool of threads is
/// limited to the share.
void set_core_share(const core_share& share);

/// How many of `cores` are this share's: the first processes have one more, and each has at least one.
unsigned cores_of_share(unsigned cores, const core_share& share);

}  // namespace gs::inline GS_FLAVOUR::detail
