// Conway's game on a torus: cells of one byte, neighbours by remainders.
#include <utility>

#include "check.cuh"

__global__ void generation(const bool* alive, bool* next, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) neighbours += alive[(y + dy + height) % height * width + (x + dx + width) % width];
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && alive[y * width + x]);
}

int main() {
  const int height = 20, width = 37;
  // A glider, which comes back one cell further down and right after four generations.
  std::vector<unsigned char> glider(height * width);
  for (int cell : {1, width + 2, 2 * width, 2 * width + 1, 2 * width + 2}) glider[cell] = 1;
  device_vector_of<unsigned char> a(glider), b(glider.size());
  unsigned char *now = a.data, *then = b.data;
  for (int k = 0; k < 4 * height; ++k) {
    generation<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>((bool*)now, (bool*)then, height, width);
    std::swap(now, then);
  }
  CHECK_CUDA(cudaGetLastError());
  std::vector<unsigned char> found(glider.size()), expected(glider.size());
  CHECK_CUDA(cudaMemcpy(found.data(), now, found.size(), cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected[(y + height) % height * width + (x + height) % width] = glider[y * width + x];
  expect(found == expected, "the glider after a round trip");
  return failures();
}
