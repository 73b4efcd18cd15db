// Pi by darts: each thread draws from a generator of its own, and a block adds up before it tells.
#include "check.cuh"

__host__ __device__ inline unsigned next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;  // xorshift (Marsaglia, 2003)
}
__host__ __device__ inline int hits(unsigned seed, int throws) {
  int inside = 0;
  for (int k = 0; k < throws; ++k) {
    const float x = (next(seed) >> 8) * 0x1p-24f, y = (next(seed) >> 8) * 0x1p-24f;
    inside += x * x + y * y <= 1;
  }
  return inside;
}

__global__ void throw_darts(int throws, unsigned long long* total) {
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  atomicAdd(&of_block, hits(blockIdx.x * blockDim.x + threadIdx.x + 1, throws));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)of_block);
}

int main() {
  device_vector_of<unsigned long long> total(std::vector<unsigned long long>(1));
  throw_darts<<<8, 64>>>(200, total.data);
  CHECK_CUDA(cudaGetLastError());
  long expected = 0;
  for (int thread = 1; thread <= 512; ++thread) expected += hits(thread, 200);
  const double found = total.host()[0];
  expect_near(found, expected, 1e-3, "darts inside");
  expect_near(4 * found / (512 * 200), 3.14, 0.02, "pi, about");
  return failures();
}
