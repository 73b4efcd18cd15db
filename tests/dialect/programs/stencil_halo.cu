// A stencil in one dimension: a block copies its elements and their neighbours to shared memory first.
#include "check.cuh"

constexpr int radius = 3, block = 128;

__global__ void smooth(const int* in, int* out, int n) {
  __shared__ int kept[block + 2 * radius];
  const int i = blockIdx.x * block + threadIdx.x, at = threadIdx.x + radius;
  kept[at] = i < n ? in[i] : 0;
  if (threadIdx.x < radius) {
    kept[at - radius] = i >= radius ? in[i - radius] : 0;
    kept[at + block] = i + block < n ? in[i + block] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  int sum = 0;
  for (int d = -radius; d <= radius; ++d) sum += kept[at + d];
  out[i] = sum;
}

int main() {
  for (std::size_t n : sizes) {
    std::vector<int> in(n);
    for (std::size_t k = 0; k < n; ++k) in[k] = k * 13 % 29;
    device_vector_of<int> from(in), to(n);
    if (n > 0) smooth<<<(n + block - 1) / block, block>>>(from.data, to.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<int> out = to.host();
    for (int k = 0; k < int(n); ++k) {
      int sum = 0;
      for (int j = std::max(0, k - radius); j <= std::min(int(n) - 1, k + radius); ++j) sum += in[j];
      expect_equal(out[k], sum, "a sum of neighbours");
    }
  }
  return failures();
}
