// A sorting network in shared memory (Batcher, 1968), of as many elements as there are threads.
#include "check.cuh"

constexpr int count = 512;

__global__ void sort(unsigned* x) {
  __shared__ unsigned kept[count];
  const unsigned t = threadIdx.x;
  kept[t] = x[blockIdx.x * count + t];
  __syncthreads();
  for (unsigned length = 2; length <= count; length *= 2)
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      const unsigned other = t ^ distance;
      if (other > t && (kept[t] > kept[other]) == ((t & length) == 0)) {
        const unsigned swapped = kept[t];
        kept[t] = kept[other];
        kept[other] = swapped;
      }
      __syncthreads();
    }
  x[blockIdx.x * count + t] = kept[t];
}

int main() {
  const int blocks = 5;
  std::vector<unsigned> x(blocks * count);
  for (unsigned k = 0; k < x.size(); ++k) x[k] = k * 2654435761u % 1000;
  device_vector_of<unsigned> dx(x);
  sort<<<blocks, count>>>(dx.data);
  CHECK_CUDA(cudaGetLastError());
  for (int b = 0; b < blocks; ++b) std::sort(x.begin() + b * count, x.begin() + (b + 1) * count);
  expect(dx.host() == x, "sorted blocks");
  return failures();
}
