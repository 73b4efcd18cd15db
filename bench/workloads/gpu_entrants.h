#pragma once
// The limits and peers of our entrants on a GPU, by CUDA's own calls.

#include <cstddef>
#include <memory>
#include <string>

#include "bench/limits/gpu.h"
#include "bench/peers/gpu.h"
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

/// Adds float32 multiply-adds in the GPU's registers, `operations` in all; nothing without a GPU.
inline void add_gpu_arithmetic_limit([[maybe_unused]] contest& c, [[maybe_unused]] std::size_t operations) {
#if GRIDSTRIDE_CUDA
  if (devices().size() > 1)
    c.add("multiply-adds on the GPU", role::limit, hardware::gpu,
          repeated([operations] { limits::multiply_add_on_gpu(operations); }));
#endif
}

/// Adds the call that `prepare()` returns, one of peers::gpu; nothing without a GPU. Another entrant owns the arrays.
/// The first peer of a contest writes on the host: other results are compared with its result.
template <class Prepare>
void add_gpu_peer([[maybe_unused]] contest& c, [[maybe_unused]] const std::string& name,
                  [[maybe_unused]] const Prepare& prepare) {
#if GRIDSTRIDE_CUDA
  if (devices().size() > 1) c.add(name, role::peer, hardware::gpu, repeated(prepare()));
#endif
}

}  // namespace bench
