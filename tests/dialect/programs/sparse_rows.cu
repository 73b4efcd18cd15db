// A sparse matrix by rows times a vector: a warp for a row, whose lanes' sums meet by shuffles.
#include "check.cuh"

__global__ void multiply(const int* begins, const int* columns, const double* values, const double* x, double* y,
                         int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  double sum = 0;
  for (int k = begins[row] + lane; k < begins[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (lane == 0) y[row] = sum;
}

int main() {
  for (int rows : {0, 1, 31, 33, 1009}) {
    std::vector<int> begins = {0}, columns;
    std::vector<double> values, x(std::max(rows, 1)), expected(rows);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = 1 + k % 7;
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < row * 13 % 70; ++k) {
        columns.push_back((row * 31 + k * 17) % rows);
        values.push_back(0.25 * (k % 9));
        expected[row] += values.back() * x[columns.back()];
      }
      begins.push_back(columns.size());
    }
    device_vector_of<int> b(begins), c(columns);
    device_vector_of<double> v(values), dx(x), y(rows);
    if (rows > 0) multiply<<<(rows + 3) / 4, 128>>>(b.data, c.data, v.data, dx.data, y.data, rows);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<double> found = y.host();
    for (int row = 0; row < rows; ++row) expect_near(found[row], expected[row], 1e-12, "a row's product");
  }
  return failures();
}
