// Primes by sieving: threads strike out multiples, all with the same mark.
#include "check.cuh"

__global__ void strike(unsigned* composite, int limit) {
  const int n = 2 + blockIdx.x * blockDim.x + threadIdx.x;
  if (n * n > limit) return;
  for (int m = n * n; m <= limit; m += n) atomicOr(&composite[m / 32], 1u << m % 32);
}
__global__ void count(const unsigned* composite, int words, int* primes) {
  int own = 0;
  for (int w = threadIdx.x; w < words; w += blockDim.x) own += __popc(~composite[w]);
  for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(0xffffffff, own, d);
  if (threadIdx.x == 0) *primes = own - 2;  // 0 and 1 are none
}

int main() {
  const int limit = 32 * 3000 - 1;
  device_vector_of<unsigned> composite(std::vector<unsigned>(3000));
  device_vector_of<int> primes(1);
  strike<<<10, 32>>>(composite.data, limit);
  count<<<1, 32>>>(composite.data, 3000, primes.data);
  CHECK_CUDA(cudaGetLastError());
  std::vector<bool> struck(limit + 1);
  int expected = 0;
  for (int n = 2; n <= limit; ++n) {
    if (struck[n]) continue;
    ++expected;
    for (long m = long(n) * n; m <= limit; m += n) struck[m] = true;
  }
  expect_equal(primes.host()[0], expected, "how many primes");
  return failures();
}
