#pragma once
// Launches whose blocks wait for each other: every block is begun before any goes past a barrier of the grid.

#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/device/host_work.h"
#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR::detail {

/// How many threads, in all blocks together, a cooperative launch may have on the engine: each keeps a stack while it
/// waits.
inline constexpr std::size_t most_cooperative_threads = std::size_t{1} << 14;

/// Runs blocks 0 to `blocks` - 1 of a cooperative launch on the threads of `spread`; `run_block(scheduler, b)` runs
/// block b. Throws the first error of a block, after all others have been let go.
void run_cooperative_grid(std::string_view kernel, std::size_t blocks, spread_function spread,
                          function_ref<void(block_scheduler&, std::size_t)> run_block);

}  // namespace gs::inline GS_FLAVOUR::detail
