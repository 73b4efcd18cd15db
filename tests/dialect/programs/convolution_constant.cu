// A filter in constant memory slides over a picture; what lies outside repeats the edge.
#include "check.cuh"

constexpr int radius = 2;
__constant__ float filter[2 * radius + 1][2 * radius + 1];

__device__ int clamped(int i, int n) { return min(max(i, 0), n - 1); }

__global__ void convolve(const unsigned char* picture, float* out, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += filter[dy + radius][dx + radius] * picture[clamped(y + dy, height) * width + clamped(x + dx, width)];
  out[y * width + x] = sum;
}

int main() {
  float weights[5][5];
  for (int k = 0; k < 25; ++k) weights[k / 5][k % 5] = (k * 7 % 11 - 5) * 0.125f;
  CHECK_CUDA(cudaMemcpyToSymbol(filter, weights, sizeof weights));
  for (int height : {1, 33})
    for (int width : {1, 31, 70}) {
      std::vector<unsigned char> picture(height * width);
      for (std::size_t k = 0; k < picture.size(); ++k) picture[k] = k * 31 % 256;
      device_vector_of<unsigned char> in(picture);
      device_vector_of<float> out(picture.size());
      convolve<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in.data, out.data, height, width);
      CHECK_CUDA(cudaGetLastError());
      const std::vector<float> found = out.host();
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          double sum = 0;
          for (int k = 0; k < 25; ++k) {
            const int from_y = std::min(std::max(y + k / 5 - 2, 0), height - 1),
                      from_x = std::min(std::max(x + k % 5 - 2, 0), width - 1);
            sum += weights[k / 5][k % 5] * picture[from_y * width + from_x];
          }
          expect_near(found[y * width + x], sum, 1e-5, "a filtered point");
        }
    }
  return failures();
}
