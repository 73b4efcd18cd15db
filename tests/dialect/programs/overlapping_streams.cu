// Copies and kernels in pieces on several streams, from pinned memory.
#include "check.cuh"

__global__ void square(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

int main() {
  const int pieces = 4, piece = 2500, n = pieces * piece;
  int *host, *device;
  CHECK_CUDA(cudaMallocHost(&host, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&device, n * sizeof(int)));
  for (int k = 0; k < n; ++k) host[k] = k % 1000;
  cudaStream_t streams[pieces];
  for (cudaStream_t& s : streams) CHECK_CUDA(cudaStreamCreate(&s));
  for (int p = 0; p < pieces; ++p) {
    int *const h = host + p * piece, *const d = device + p * piece;
    CHECK_CUDA(cudaMemcpyAsync(d, h, piece * sizeof(int), cudaMemcpyHostToDevice, streams[p]));
    square<<<(piece + 255) / 256, 256, 0, streams[p]>>>(d, piece);
    CHECK_CUDA(cudaMemcpyAsync(h, d, piece * sizeof(int), cudaMemcpyDeviceToHost, streams[p]));
  }
  for (cudaStream_t s : streams) {
    CHECK_CUDA(cudaStreamSynchronize(s));
    CHECK_CUDA(cudaStreamDestroy(s));
  }
  for (int k = 0; k < n; ++k) expect_equal(host[k], (k % 1000) * (k % 1000), "a square");
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFreeHost(host));
  return failures();
}
