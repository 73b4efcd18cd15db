// printf in a kernel, of each kind of number, and of text.
#include "check.cuh"

__global__ void say(const char* word) {
  printf("%s %d of %u: %5.2f %c %llx %%\n", word, threadIdx.x, blockDim.x, 0.5 * threadIdx.x, 'a' + threadIdx.x,
         1ull << (33 + threadIdx.x));
}

int main() {
  char* word;
  CHECK_CUDA(cudaMallocManaged(&word, 8));
  for (int k = 0; k < 8; ++k) word[k] = "thread"[k < 6 ? k : 6];
  say<<<1, 3>>>(word);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFree(word));
  return failures();
}
