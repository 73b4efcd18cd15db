#pragma once
// Fork-join: what it costs to start all cores on nothing and wait for them.

namespace bench::limits {

/// An empty OpenMP parallel region.
void fork_join_openmp();
/// An empty oneTBB loop with one piece per core.
void fork_join_tbb();

}  // namespace bench::limits
