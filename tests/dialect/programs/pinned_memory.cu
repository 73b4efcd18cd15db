// Pinned and registered memory: copies beside the host, and kernels that reach it.
#include "check.cuh"

__global__ void double_all(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= 2;
}

int main() {
  const int n = 4099, parts = 4;
  float *pinned = nullptr, *mapped = nullptr, *mapped_on_device = nullptr, *device = nullptr;
  CHECK_CUDA(cudaMallocHost(&pinned, n * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i) pinned[i] = (float)i;
  cudaStream_t streams[parts];
  for (cudaStream_t& s : streams) CHECK_CUDA(cudaStreamCreate(&s));
  for (int p = 0; p < parts; ++p) {
    const int first = n * p / parts, count = n * (p + 1) / parts - first;
    CHECK_CUDA(
        cudaMemcpyAsync(device + first, pinned + first, count * sizeof(float), cudaMemcpyHostToDevice, streams[p]));
    double_all<<<2, 64, 0, streams[p]>>>(device + first, count);
    CHECK_CUDA(
        cudaMemcpyAsync(pinned + first, device + first, count * sizeof(float), cudaMemcpyDeviceToHost, streams[p]));
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) expect_equal(pinned[i], 2 * i, "parts in streams");
  for (const cudaStream_t s : streams) CHECK_CUDA(cudaStreamDestroy(s));
  CHECK_CUDA(cudaHostAlloc(&mapped, n * sizeof(float), cudaHostAllocMapped));
  for (int i = 0; i < n; ++i) mapped[i] = (float)i;
  CHECK_CUDA(cudaHostGetDevicePointer(&mapped_on_device, mapped, 0));
  double_all<<<4, 64>>>(mapped_on_device, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) expect_equal(mapped[i], 2 * i, "a kernel in mapped memory");
  std::vector<float> own(n, 3);
  CHECK_CUDA(cudaHostRegister(own.data(), n * sizeof(float), cudaHostRegisterDefault));
  CHECK_CUDA(cudaMemcpy(device, own.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  double_all<<<4, 64>>>(device, n);
  CHECK_CUDA(cudaMemcpyAsync(own.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaDeviceSynchronize());
  expect(own == std::vector<float>(n, 6), "registered memory");
  CHECK_CUDA(cudaHostUnregister(own.data()));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFreeHost(mapped));
  CHECK_CUDA(cudaFree(device));
  return failures();
}
