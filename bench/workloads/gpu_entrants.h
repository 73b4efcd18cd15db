#pragma once
// What a GPU is compared with: its own limits, by CUDA's own calls.

#include <cstddef>
#include <memory>

#include "bench/limits/gpu.h"
#include "bench/workloads/devices.h"

namespace bench {

/// Adds a copy within the GPU's memory that moves `bytes` in all; nothing without a GPU.
inline void add_gpu_limit([[maybe_unused]] contest& c, [[maybe_unused]] std::size_t bytes) {
#if GRIDSTRIDE_CUDA
  if (devices().size() > 1)
    c.add("copy on the GPU", role::limit, hardware::gpu,
          repeated([copy = std::make_shared<limits::gpu_copy>(bytes)] { (*copy)(); }));
#endif
}

}  // namespace bench
