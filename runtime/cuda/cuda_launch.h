#pragma once
// How a GPU runs a kernel. Only nvcc reads this.

#include "runtime/core/config.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"

namespace gs::inline GS_FLAVOUR {

template <auto F, class... P>
__global__ void cuda_kernel(P... parameters) {
  F(thread({threadIdx.x, threadIdx.y, threadIdx.z}, {blockIdx.x, blockIdx.y, blockIdx.z},
           {blockDim.x, blockDim.y, blockDim.z}, {gridDim.x, gridDim.y, gridDim.z}),
    parameters...);
}

template <auto F, class... P>
void launch_on_cuda(const stream& on, const launch_options& options, P... parameters) {
  const index3 grid = options.grid.as_index(), block = options.block.as_index();
  cuda_kernel<F, P...><<<dim3(grid.x, grid.y, grid.z), dim3(block.x, block.y, block.z), 0,
                         static_cast<cuda_queue&>(on.work()).handle()>>>(parameters...);
  check_cuda(cudaGetLastError(), "a kernel launch");
}

}  // namespace gs::inline GS_FLAVOUR
