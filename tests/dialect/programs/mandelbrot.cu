// How long points of the plane stay: each thread has a loop of its own length.
#include "check.cuh"

struct complex_number {
  float re, im;
};

__host__ __device__ inline int steps_to_leave(complex_number c, int most) {
  complex_number z = {0, 0};
  int k = 0;
  while (k < most && z.re * z.re + z.im * z.im <= 4) {
    z = {z.re * z.re - z.im * z.im + c.re, 2 * z.re * z.im + c.im};
    ++k;
  }
  return k;
}

__global__ void paint(unsigned char* picture, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const complex_number c = {-2.0f + 3.0f * x / width, -1.5f + 3.0f * y / height};
  picture[y * width + x] = steps_to_leave(c, 100);
}

int main() {
  const int height = 60, width = 90;
  device_vector_of<unsigned char> picture(height * width);
  paint<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(picture.data, height, width);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<unsigned char> found = picture.host();
  int different = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      different += found[y * width + x] != steps_to_leave({-2.0f + 3.0f * x / width, -1.5f + 3.0f * y / height}, 100);
  expect(different <= height * width / 100, "points near the edge may differ by a rounding, others not");
  expect_equal(int(found[30 * width + 60]), 100, "the origin stays");
  return failures();
}
