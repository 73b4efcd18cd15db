#pragma once
// How a GPU runs a kernel. Only nvcc reads this.

#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/device/device.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Runs F in this thread of the GPU with its shared memory.
template <auto F, class... P>
__device__ void run_on_cuda(unsigned dynamic_bytes, P... parameters) {
  using kernel = kernel_signature<F>;
  constexpr std::size_t bytes = kernel::static_shared_bytes;
  extern __shared__ __align__(16) unsigned char dynamic_memory[];
  void* static_memory = nullptr;
  if constexpr (bytes > 0) {
    __shared__ __align__(16) unsigned char memory[bytes];
    static_memory = memory;
  }
  const index3 block_idx{blockIdx.x, blockIdx.y, blockIdx.z}, grid{gridDim.x, gridDim.y, gridDim.z};
  if constexpr (kernel::block_style) {
    kernel::call(typename kernel::first(block_idx, grid), static_memory, dynamic_memory, dynamic_bytes, parameters...);
  } else {
    kernel::call(thread({threadIdx.x, threadIdx.y, threadIdx.z}, block_idx, {blockDim.x, blockDim.y, blockDim.z}, grid),
                 static_memory, dynamic_memory, dynamic_bytes, parameters...);
  }
}

template <auto F, class... P>
__global__ void cuda_kernel(unsigned dynamic_bytes, P... parameters) {
  run_on_cuda<F>(dynamic_bytes, parameters...);
}
// In block style the compiler knows how many threads there are, and gives each as many registers as that allows.
template <auto F, unsigned Threads, class... P>
__global__ void __launch_bounds__(Threads) cuda_block_kernel(unsigned dynamic_bytes, P... parameters) {
  run_on_cuda<F>(dynamic_bytes, parameters...);
}

template <auto F, class... P>
auto cuda_entry() {
  using kernel = kernel_signature<F>;
  if constexpr (kernel::block_style)
    return &cuda_block_kernel<F, kernel::first::threads, P...>;
  else
    return &cuda_kernel<F, P...>;
}

template <auto F>
std::size_t cooperative_limit_on_cuda(const extent3& block, std::size_t shared_bytes) {
  using kernel = kernel_signature<F>;
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    int per_multiprocessor = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                   &per_multiprocessor, cuda_entry<F, typename kernel::template parameter<kernel::leading + K>...>(),
                   static_cast<int>(block.as_index().size()), shared_bytes),
               "the number of blocks a multiprocessor holds");
    return static_cast<std::size_t>(per_multiprocessor) * device().multiprocessors;
  }(std::make_index_sequence<kernel::arguments>{});
}

template <auto F, class... P>
void launch_on_cuda(const stream& on, const launch_options& options, P... parameters) {
  const index3 grid = options.grid.as_index(), block = options.block.as_index();
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(grid.x, grid.y, grid.z);
  configuration.blockDim = dim3(block.x, block.y, block.z);
  configuration.dynamicSmemBytes = options.shared_bytes;
  configuration.stream = static_cast<cuda_queue&>(on.work()).handle();
  configuration.attrs = &cooperative;
  configuration.numAttrs = options.cooperative ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&configuration, cuda_entry<F, P...>(), static_cast<unsigned>(options.shared_bytes),
                                parameters...),
             "a kernel launch");
}

}  // namespace gs::inline GS_FLAVOUR::detail
