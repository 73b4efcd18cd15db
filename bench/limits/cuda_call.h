#pragma once
// CUDA's own calls, without the runtime, for the limits and the peers on a GPU. Only nvcc reads this.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "runtime/core/error.h"

namespace bench {

/// Throws gs::machine_error with CUDA's own words if `status` is not success.
inline void check(cudaError_t status, const char* operation) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // clears an error that isn't sticky, so that the next call doesn't report it again
  throw gs::machine_error(operation, cudaGetErrorString(status), "see that nothing else needs the GPU");
}

/// Waits for the queued work, and throws if any of it failed.
inline void finish(const char* operation) {
  check(cudaGetLastError(), operation);
  check(cudaDeviceSynchronize(), operation);
}

/// `size` elements of a trivial type T in the GPU's memory, without values. Throws gs::machine_error if it has no room.
template <class T>
std::shared_ptr<T> gpu_memory(std::size_t size) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, size * sizeof(T)), "memory of the GPU for a measurement");
  return {memory, [](T* end) { cudaFree(end); }};
}

}  // namespace bench
