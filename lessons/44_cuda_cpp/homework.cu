// Homework: the steps of a walk, their length in sum, and how many there are of each length. It compiles and runs, with
// three bugs.
//
//     ./gridstride inspect lessons/44_cuda_cpp/homework.cu

#include <cmath>
#include <cstdio>
#include <vector>

const int block = 256;
const int bins = 8;

// n positions have n - 1 steps between them.
__global__ void steps_between(const float* position, float* step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) step[i] = fabsf(position[i + 1] - position[i]);
}

// Each block adds its steps up, in halves: 256 numbers become 128, 64, ... 1.
__global__ void block_sums(const float* step, float* sums, int n) {
  __shared__ float part[block];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? step[i] : 0;
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2)
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// A thread for each bin. Bin k has the steps from k to k + 1, the last one all that are longer, too.
__global__ void count(const float* step, unsigned* counts, int n) {
  int bin = threadIdx.x;
  for (int k = 0; k < n; ++k)
    if (min(bins - 1, (int)step[k]) == bin) ++counts[bin];
}

int main() {
  const int n = 1000, blocks = (n + block - 1) / block;
  std::vector<float> position(n), sums(blocks);
  std::vector<unsigned> counts(bins);
  for (int i = 0; i < n; ++i) position[i] = i * 37 % 101 / 8.0f;

  float *d_position, *d_step, *d_sums;
  unsigned* d_counts;
  cudaMalloc(&d_position, n * sizeof(float));
  cudaMalloc(&d_step, (n - 1) * sizeof(float));
  cudaMalloc(&d_sums, blocks * sizeof(float));
  cudaMalloc(&d_counts, bins * sizeof(unsigned));
  cudaMemcpy(d_position, position.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  steps_between<<<blocks, block>>>(d_position, d_step, n);
  block_sums<<<blocks, block>>>(d_step, d_sums, n - 1);
  count<<<1, bins>>>(d_step, d_counts, n - 1);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(counts.data(), d_counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(d_position);
  cudaFree(d_step);
  cudaFree(d_sums);
  cudaFree(d_counts);

  float length = 0, expected = 0;
  unsigned steps = 0;
  for (float sum : sums) length += sum;
  for (unsigned c : counts) steps += c;
  for (int i = 0; i + 1 < n; ++i) expected += std::fabs(position[i + 1] - position[i]);
  std::printf("length  %.3f, should be %.3f\n", length, expected);
  std::printf("steps   %u, should be %d\n", steps, n - 1);
}
