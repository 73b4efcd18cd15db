// A matrix times a vector, once by rows and once by columns, and what each thread reads.
#include "check.cuh"

__global__ void by_rows(const float* a, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += a[row * columns + c] * x[c];
  y[row] = sum;
}
__global__ void by_columns(const float* a, const float* x, float* y, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[r * columns + column] * x[r];
  y[column] = sum;
}

int main() {
  for (int rows : {1, 33, 100})
    for (int columns : {1, 31, 257}) {
      std::vector<float> a(rows * columns), x(std::max(rows, columns));
      for (std::size_t k = 0; k < a.size(); ++k) a[k] = k % 9 - 4;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = k % 5;
      device_vector_of<float> da(a), dx(x), y(rows), z(columns);
      by_rows<<<(rows + 63) / 64, 64>>>(da.data, dx.data, y.data, rows, columns);
      by_columns<<<(columns + 63) / 64, 64>>>(da.data, dx.data, z.data, rows, columns);
      CHECK_CUDA(cudaGetLastError());
      const std::vector<float> found = y.host(), transposed = z.host();
      for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += a[r * columns + c] * x[c];
        expect_near(found[r], sum, 1e-6, "a row");
      }
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        for (int r = 0; r < rows; ++r) sum += a[r * columns + c] * x[r];
        expect_near(transposed[c], sum, 1e-6, "a column");
      }
    }
  return failures();
}
