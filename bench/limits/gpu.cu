#include "bench/limits/gpu.h"

#include <cuda_runtime.h>

#include "runtime/core/error.h"

namespace bench::limits {
namespace {

__global__ void nothing_at_all() {}

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw gs::machine_error(what, cudaGetErrorString(status), "see that nothing else needs the GPU");
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "memory of the GPU for its limits");
  return memory;
}
void deallocate(void* memory) { cudaFree(memory); }

}  // namespace

gpu_copy::gpu_copy(std::size_t bytes)
    : half_(bytes / 2), from_(allocate(half_), deallocate), to_(allocate(half_), deallocate) {
  check(cudaMemset(from_.get(), 0, half_), "memory of the GPU for its limits");
}

void gpu_copy::operator()() const {
  check(cudaMemcpyAsync(to_.get(), from_.get(), half_, cudaMemcpyDeviceToDevice), "a copy on the GPU");
  check(cudaDeviceSynchronize(), "a copy on the GPU");
}

void copy_by_cuda(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "a copy between the host and the GPU");
}

void launch_nothing(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) nothing_at_all<<<1, 1>>>();
  check(cudaDeviceSynchronize(), "an empty kernel");
}

}  // namespace bench::limits
