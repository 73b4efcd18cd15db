#pragma once
// How a GPU runs a piece of array work: one thread per item, or one block of threads where the work says so, in a
// grid-stride loop. Only nvcc reads this.

#include <algorithm>

#include "runtime/core/config.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/cuda/cuda_reduce.h"
#include "runtime/device/device.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class Work>
__global__ void work_kernel(const Work work) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < work.size(); i += threads) work.at(i);
}

template <class Work>
__global__ void block_work_kernel(const Work work) {
  for (std::size_t i = blockIdx.x; i < work.size(); i += gridDim.x) {
    const auto item = work.tree(i);
    fold_tree_in_block<Work::function, Work::tree_chunk>(item.out, item.from, item.count);
  }
}

template <class Work>
void execute_on_cuda(queue& on, const Work& work) {
  constexpr std::size_t block = 256, blocks_per_multiprocessor = 8;
  const std::size_t most = blocks_per_multiprocessor * device().multiprocessors;
  if constexpr (requires { work.in_blocks(); }) {
    if (work.in_blocks()) {
      const auto grid = static_cast<unsigned>(std::min(most, work.size()));
      block_work_kernel<<<grid, block, 0, static_cast<cuda_queue&>(on).handle()>>>(work);
      return check_cuda(cudaGetLastError(), "a ufunc on the GPU");
    }
  }
  const auto grid = static_cast<unsigned>(std::min(most, (work.size() + block - 1) / block));
  work_kernel<<<grid, block, 0, static_cast<cuda_queue&>(on).handle()>>>(work);
  check_cuda(cudaGetLastError(), "a ufunc on the GPU");
}

}  // namespace gs::inline GS_FLAVOUR::detail
