// Memory of a pool: allocated and given back in the order of a stream.
#include "check.cuh"

__global__ void count_from(int* x, int n, int first) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] = first + i;
}
__global__ void add(const int* x, const int* y, int* z, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) z[i] = x[i] + y[i];
}

int main() {
  cudaMemPool_t pool;
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ull, kept = 0;
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  expect(kept == threshold, "an attribute");
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  const int n = 10007;
  device_vector_of<int> z(n);
  for (int round = 0; round < 10; ++round) {
    int *x = nullptr, *y = nullptr;
    CHECK_CUDA(cudaMallocAsync(&x, n * sizeof(int), stream));
    CHECK_CUDA(cudaMallocFromPoolAsync(&y, n * sizeof(int), pool, stream));
    count_from<<<4, 128, 0, stream>>>(x, n, round);
    count_from<<<4, 128, 0, stream>>>(y, n, 100);
    add<<<4, 128, 0, stream>>>(x, y, z.data, n);
    CHECK_CUDA(cudaFreeAsync(x, stream));
    CHECK_CUDA(cudaFreeAsync(y, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  const std::vector<int> found = z.host();
  for (int i = 0; i < n; ++i) expect_equal(found[i], 109 + 2 * i, "sums of memory that was given back");
  CHECK_CUDA(cudaMemPoolTrimTo(pool, 0));
  CHECK_CUDA(cudaStreamDestroy(stream));
  return failures();
}
