// Barriers that count: how many threads say yes, whether all do, whether one does.
#include "check.cuh"

__global__ void vote(const int* x, int* out, int limit) {
  const bool yes = x[blockIdx.x * blockDim.x + threadIdx.x] < limit;
  const int how_many = __syncthreads_count(yes), all = __syncthreads_and(yes), one = __syncthreads_or(yes);
  if (threadIdx.x == blockDim.x - 1) {
    out[3 * blockIdx.x] = how_many;
    out[3 * blockIdx.x + 1] = all != 0;
    out[3 * blockIdx.x + 2] = one != 0;
  }
}

int main() {
  const int blocks = 4, block = 96;
  std::vector<int> x(blocks * block);
  for (int k = 0; k < blocks * block; ++k) x[k] = k;
  device_vector_of<int> dx(x), out(3 * blocks);
  for (int limit : {0, 1, 100, 192, 1000}) {
    vote<<<blocks, block>>>(dx.data, out.data, limit);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<int> found = out.host();
    for (int b = 0; b < blocks; ++b) {
      const int yes = std::min(std::max(limit - b * block, 0), block);
      expect_equal(found[3 * b], yes, "how many");
      expect_equal(found[3 * b + 1], int(yes == block), "all");
      expect_equal(found[3 * b + 2], int(yes > 0), "one");
    }
  }
  return failures();
}
