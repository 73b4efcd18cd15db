// Heat spreads in two dimensions; two fields change places after each step.
#include <utility>

#include "check.cuh"

__global__ void step(const float* u, float* next, int height, int width, float rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  next[i] = u[i] + rate * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i]);
}

int main() {
  const int height = 45, width = 70, steps = 20;
  std::vector<float> u(height * width);
  for (int k = 0; k < height * width; ++k) u[k] = k % 11 == 0 ? 100 : 0;
  device_vector_of<float> a(u), b(u);
  float *now = a.data, *then = b.data;
  for (int k = 0; k < steps; ++k) {
    step<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(now, then, height, width, 0.2f);
    std::swap(now, then);
  }
  CHECK_CUDA(cudaGetLastError());
  std::vector<double> expected(u.begin(), u.end()), next = expected;
  for (int k = 0; k < steps; ++k) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) {
        const int i = y * width + x;
        next[i] = expected[i] + 0.2 * (expected[i - 1] + expected[i + 1] + expected[i - width] + expected[i + width] -
                                       4 * expected[i]);
      }
    expected.swap(next);
  }
  std::vector<float> found(u.size());
  CHECK_CUDA(cudaMemcpy(found.data(), now, found.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t k = 0; k < found.size(); ++k) expect_near(found[k], expected[k], 1e-4, "a temperature");
  return failures();
}
