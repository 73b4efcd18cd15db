// A sort by bits, from the lowest up: each pass is a scan in the block, stable.
#include "check.cuh"

constexpr int count = 256;

__global__ void sort(unsigned* x) {
  __shared__ unsigned keys[count];
  __shared__ int zeros_before[count];
  const int t = threadIdx.x;
  keys[t] = x[t];
  for (int bit = 0; bit < 16; ++bit) {
    __syncthreads();
    const unsigned key = keys[t];
    const bool zero = (key >> bit & 1) == 0;
    zeros_before[t] = zero;
    __syncthreads();
    for (int distance = 1; distance < count; distance *= 2) {
      const int other = t >= distance ? zeros_before[t - distance] : 0;
      __syncthreads();
      zeros_before[t] += other;
      __syncthreads();
    }
    const int zeros = zeros_before[count - 1], place = zero ? zeros_before[t] - 1 : zeros + t - zeros_before[t];
    keys[place] = key;
  }
  __syncthreads();
  x[t] = keys[t];
}

int main() {
  std::vector<unsigned> x(count);
  for (unsigned k = 0; k < count; ++k) x[k] = k * 40503u % 65536;
  device_vector_of<unsigned> dx(x);
  sort<<<1, count>>>(dx.data);
  CHECK_CUDA(cudaGetLastError());
  std::sort(x.begin(), x.end());
  expect(dx.host() == x, "sorted keys");
  return failures();
}
