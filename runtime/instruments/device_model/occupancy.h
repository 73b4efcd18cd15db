#pragma once
// Occupancy: how many of the warps that a multiprocessor can hold a kernel keeps there at once.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/instruments/device_model/device_model.h"

namespace gs::inline GS_FLAVOUR {

/// What of a multiprocessor is used up first.
enum class occupancy_limit : std::uint8_t { threads, blocks, registers, shared_memory };
/// "threads", "blocks", "registers" or "shared memory".
std::string_view to_string(occupancy_limit limit);

/// How much of a multiprocessor a kernel fills.
struct occupancy {
  unsigned active_blocks = 0;               ///< per SM; 0: the GPU can't hold a single block
  unsigned active_warps = 0;                ///< per SM
  double share = 0;                         ///< active warps of those an SM can hold, 0 to 1
  std::vector<occupancy_limit> limited_by;  ///< one or more
  std::size_t allocated_shared_bytes = 0;   ///< per block, with what the system reserves, rounded up
  unsigned allocated_registers = 0;         ///< per block, rounded up
};

/// Theoretical occupancy of a kernel on a GPU, as cudaOccupancyMaxActiveBlocksPerMultiprocessor gives it; the rules are
/// those of cuda_occupancy.h (CUDA 13.0) for a kernel that may use all shared memory of the SM.
/// `shared_bytes_per_block` counts static and dynamic ones; `registers_per_thread` is what `nvcc --resource-usage`
/// prints, 0 if it isn't known: then registers limit nothing. Throws gs::error for a block without threads.
occupancy occupancy_of(const device_model& model, const index3& block, std::size_t shared_bytes_per_block,
                       unsigned registers_per_thread = 0);

}  // namespace gs::inline GS_FLAVOUR
