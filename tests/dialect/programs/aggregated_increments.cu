// A filter by warp-aggregated increments: the lanes that keep an element form a group where their paths meet, in blocks
// of several warps.
#include <cooperative_groups.h>

#include "check.cuh"

__device__ int aggregated_increment(int* counter) {
  const cooperative_groups::coalesced_group together = cooperative_groups::coalesced_threads();
  int first = 0;
  if (together.thread_rank() == 0) first = atomicAdd(counter, (int)together.size());
  return together.shfl(first, 0) + (int)together.thread_rank();
}

__global__ void keep_some(int* kept, int* count, const int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] % 3 == 0 || x[i] % 7 == 1) kept[aggregated_increment(count)] = x[i];
}

int main() {
  for (const size_t n : sizes)
    for (int block : {32, 64, 512}) {
      std::vector<int> x(n), expected;
      for (size_t i = 0; i < n; ++i) x[i] = (int)((i * 7919 + i / 11) % 100003);
      for (int value : x)
        if (value % 3 == 0 || value % 7 == 1) expected.push_back(value);
      device_vector_of<int> d(x), kept(std::vector<int>(n, 0)), count(std::vector<int>{0});
      keep_some<<<3, block>>>(kept.data, count.data, d.data, (int)n);
      CHECK_CUDA(cudaDeviceSynchronize());
      expect_equal(count.host()[0], (int)expected.size(), "how many are kept");
      std::vector<int> found = kept.host();
      found.resize(expected.size());
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      expect(found == expected, "which are kept");
    }
  return failures();
}
