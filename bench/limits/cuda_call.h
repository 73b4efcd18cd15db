#pragma once
// What the limits and the peers on a GPU have in common: CUDA's own calls, without the runtime. Only nvcc reads this.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "runtime/core/error.h"

namespace bench {

/// Throws gs::machine_error with CUDA's own words if `status` is not success.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // clears an error that isn't sticky, so that the next call doesn't report it again
  throw gs::machine_error(what, cudaGetErrorString(status), "see that nothing else needs the GPU");
}

/// Waits for what was queued, and for all that failed meanwhile.
inline void finish(const char* what) {
  check(cudaGetLastError(), what);
  check(cudaDeviceSynchronize(), what);
}

/// `size` elements of a trivial type T in the GPU's memory, without values. Throws gs::machine_error if it has no room.
template <class T>
std::shared_ptr<T> gpu_memory(std::size_t size) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, size * sizeof(T)), "memory of the GPU for a measurement");
  return {memory, [](T* end) { cudaFree(end); }};
}

}  // namespace bench
