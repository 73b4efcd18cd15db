// A transpose by tiles in shared memory, padded by a column against bank conflicts.
#include "check.cuh"

constexpr int side = 32, rows_at_once = 8;

__global__ void transpose(const int* in, int* out, int height, int width) {
  __shared__ int tile[side][side + 1];
  int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  for (int k = 0; k < side; k += rows_at_once)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * side + threadIdx.x, y = blockIdx.x * side + threadIdx.y;
  for (int k = 0; k < side; k += rows_at_once)
    if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

int main() {
  for (int height : {1, 31, 32, 33, 101})
    for (int width : {1, 31, 32, 33, 257}) {
      std::vector<int> in(height * width);
      for (std::size_t k = 0; k < in.size(); ++k) in[k] = 7 * k + 1;
      device_vector_of<int> from(in), to(in.size());
      transpose<<<dim3((width + side - 1) / side, (height + side - 1) / side), dim3(side, rows_at_once)>>>(
          from.data, to.data, height, width);
      CHECK_CUDA(cudaGetLastError());
      const std::vector<int> out = to.host();
      for (int r = 0; r < height; ++r)
        for (int c = 0; c < width; ++c)
          expect_equal(out[c * height + r], in[r * width + c], "an element of the transpose");
    }
  return failures();
}
