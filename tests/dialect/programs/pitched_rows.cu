// Rows that begin at addresses the device likes: pitched memory, and copies of rectangles.
#include "check.cuh"

__global__ void double_rows(char* rows, std::size_t pitch, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<float*>(rows + y * pitch)[x] *= 2;
}

int main() {
  for (int width : {1, 33, 130}) {
    const int height = 7;
    std::vector<float> in(height * width), out(height * width);
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = k;
    char* rows;
    std::size_t pitch = 0;
    const std::size_t bytes = width * sizeof(float);
    CHECK_CUDA(cudaMallocPitch((void**)&rows, &pitch, bytes, height));
    expect(pitch >= bytes && pitch % 32 == 0, "the pitch");
    CHECK_CUDA(cudaMemcpy2D(rows, pitch, in.data(), bytes, bytes, height, cudaMemcpyHostToDevice));
    double_rows<<<dim3((width + 63) / 64, height), 64>>>(rows, pitch, height, width);
    CHECK_CUDA(cudaMemcpy2D(out.data(), bytes, rows, pitch, bytes, height, cudaMemcpyDeviceToHost));
    for (std::size_t k = 0; k < in.size(); ++k) expect_equal(out[k], 2 * in[k], "an element of a pitched row");
    CHECK_CUDA(cudaFree(rows));
  }
  return failures();
}
