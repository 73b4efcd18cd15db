// CUDA C++: the accounts travel once, and the kernel is launched each year.

#include <cuda_runtime.h>

#include <vector>

#include "runtime/gs.h"

__global__ void multiply(float* accounts, const float* factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) accounts[i] *= factor[i];
}

std::vector<float> accounts_after(int years, const std::vector<float>& accounts, const std::vector<float>& factor) {
  const int n = static_cast<int>(accounts.size());
  std::vector<float> after(accounts.size());
  if (n == 0) return after;
  const std::size_t bytes = accounts.size() * sizeof(float);
  float *on_device = nullptr, *by = nullptr;
  cudaMalloc(&on_device, bytes);
  cudaMalloc(&by, bytes);
  cudaMemcpy(on_device, accounts.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(by, factor.data(), bytes, cudaMemcpyHostToDevice);
  for (int year = 0; year < years; ++year) multiply<<<(n + 255) / 256, 256>>>(on_device, by, n);
  cudaMemcpy(after.data(), on_device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(by);
  cudaFree(on_device);
  return after;
}
