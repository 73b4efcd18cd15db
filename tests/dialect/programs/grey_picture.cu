// A picture of bytes in three colours becomes grey, and its edges are found.
#include "check.cuh"

__global__ void to_grey(const uchar3* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (unsigned char)((299 * in[i].x + 587 * in[i].y + 114 * in[i].z) / 1000);
}
__global__ void edges(const unsigned char* in, short* out, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = 0;
    return;
  }
  const unsigned char* p = in + y * width + x;
  const int across = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[width - 1];
  const int down = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
  out[y * width + x] = (short)(abs(across) + abs(down));
}

int main() {
  const int height = 21, width = 34, n = height * width;
  std::vector<uchar3> colours(n);
  for (int k = 0; k < n; ++k) colours[k] = make_uchar3(k * 7 % 256, k * 11 % 256, k % width < 17 ? 0 : 200);
  device_vector_of<uchar3> in(colours);
  device_vector_of<unsigned char> grey(n);
  device_vector_of<short> found(n);
  to_grey<<<(n + 127) / 128, 128>>>(in.data, grey.data, n);
  edges<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(grey.data, found.data, height, width);
  CHECK_CUDA(cudaGetLastError());
  std::vector<int> g(n);
  for (int k = 0; k < n; ++k) g[k] = (299 * colours[k].x + 587 * colours[k].y + 114 * colours[k].z) / 1000;
  const std::vector<short> e = found.host();
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x) {
      int across = 0, down = 0;
      for (int d = -1; d <= 1; ++d) {
        const int weight = d == 0 ? 2 : 1;
        across += weight * (g[(y + d) * width + x + 1] - g[(y + d) * width + x - 1]);
        down += weight * (g[(y + 1) * width + x + d] - g[(y - 1) * width + x + d]);
      }
      expect_equal(int(e[y * width + x]), std::abs(across) + std::abs(down), "an edge");
    }
  return failures();
}
