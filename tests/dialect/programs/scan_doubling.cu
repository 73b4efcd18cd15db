// A running sum in a block by doubling distances (Hillis and Steele, 1986), then over blocks.
#include "check.cuh"

constexpr int block = 256;

__global__ void scan_blocks(const int* in, int* out, int* totals, int n) {
  __shared__ int sums[2][block];
  const int i = blockIdx.x * block + threadIdx.x;
  int from = 0;
  sums[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const int own = sums[from][threadIdx.x];
    sums[1 - from][threadIdx.x] = threadIdx.x >= distance ? own + sums[from][threadIdx.x - distance] : own;
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = sums[from][threadIdx.x];
  if (threadIdx.x == block - 1) totals[blockIdx.x] = sums[from][threadIdx.x];
}

__global__ void add_totals(int* out, const int* totals, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  int before = 0;
  for (int b = 0; b < blockIdx.x; ++b) before += totals[b];
  out[i] += before;
}

int main() {
  for (std::size_t n : sizes) {
    const int blocks = (n + block - 1) / block;
    std::vector<int> in(n);
    for (std::size_t k = 0; k < n; ++k) in[k] = k % 9 - 3;
    device_vector_of<int> from(in), to(n), totals(blocks);
    if (n > 0) {
      scan_blocks<<<blocks, block>>>(from.data, to.data, totals.data, n);
      add_totals<<<blocks, block>>>(to.data, totals.data, n);
    }
    CHECK_CUDA(cudaGetLastError());
    const std::vector<int> out = to.host();
    int sum = 0;
    for (std::size_t k = 0; k < n; ++k) expect_equal(out[k], sum += in[k], "a running sum");
  }
  return failures();
}
