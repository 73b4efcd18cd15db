// CUDA C++: a thread for each value, memory of cudaMalloc.

#include <cuda_runtime.h>

#include "assessments/A1_neural_layer/task.h"

__global__ void layer(const float* grey, const float* weight, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tanhf(grey[i] / 255 * weight[i]);
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  std::vector<float> answer(n);
  if (n == 0) return answer;
  const std::size_t bytes = n * sizeof(float);
  float *grey = nullptr, *weight = nullptr, *out = nullptr;
  cudaMalloc(&grey, bytes);
  cudaMalloc(&weight, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(grey, greyscales.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(weight, weights.data(), bytes, cudaMemcpyHostToDevice);
  layer<<<(n + 255) / 256, 256>>>(grey, weight, out, static_cast<int>(n));
  cudaMemcpy(answer.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(weight);
  cudaFree(grey);
  return answer;
}
