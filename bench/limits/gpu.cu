#include "bench/limits/gpu.h"

#include "bench/limits/cuda_call.h"

namespace bench::limits {
namespace {

__global__ void nothing_at_all() {}

// Each thread has enough chains to keep its units busy while earlier operations complete.
constexpr std::size_t chains = 8, block = 256, threads_of_multiprocessor = 2048;

__global__ void multiply_add_in_registers(std::size_t steps, float* sum) {
  float value[chains];
  for (std::size_t k = 0; k < chains; ++k) value[k] = static_cast<float>(threadIdx.x + k);
  for (std::size_t step = 0; step < steps; ++step)
    for (std::size_t k = 0; k < chains; ++k) value[k] = value[k] * 0.5f + 1;
  float total = 0;
  for (std::size_t k = 0; k < chains; ++k) total += value[k];
  if (total < 0) *sum = total;  // never, which the compiler can't know
}

std::size_t multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "the GPU's multiprocessors");
  return static_cast<std::size_t>(count);
}

}  // namespace

gpu_copy::gpu_copy(std::size_t bytes)
    : half_(bytes / 2), from_(gpu_memory<std::byte>(half_)), to_(gpu_memory<std::byte>(half_)) {
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
  finish("an empty kernel");
}

void multiply_add_on_gpu(std::size_t operations) {
  static const std::size_t threads = multiprocessors() * threads_of_multiprocessor;
  const std::size_t per_step = 2 * chains * threads, steps = (operations + per_step - 1) / per_step;
  multiply_add_in_registers<<<static_cast<unsigned>(threads / block), block>>>(steps, nullptr);
  finish("multiply-adds on the GPU");
}

}  // namespace bench::limits
