// A product of matrices by tiles in shared memory, of any shape.
#include "check.cuh"

constexpr int edge = 16;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float left[edge][edge], right[edge][edge];
  const int row = blockIdx.y * edge + threadIdx.y, column = blockIdx.x * edge + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += edge) {
    left[threadIdx.y][threadIdx.x] = row < m && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0.0f;
    right[threadIdx.y][threadIdx.x] = column < p && k + threadIdx.y < n ? b[(k + threadIdx.y) * p + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < edge; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < p) c[row * p + column] = sum;
}

void check(int m, int n, int p) {
  std::vector<float> a(m * n), b(n * p);
  for (int k = 0; k < m * n; ++k) a[k] = k % 7 - 3;
  for (int k = 0; k < n * p; ++k) b[k] = k % 5 - 2;
  device_vector_of<float> da(a), db(b), dc(m * p);
  product<<<dim3((p + edge - 1) / edge, (m + edge - 1) / edge), dim3(edge, edge)>>>(da.data, db.data, dc.data, m, n, p);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<float> c = dc.host();
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < p; ++column) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += double(a[row * n + k]) * b[k * p + column];
      expect_near(c[row * p + column], sum, 1e-6, "an element of the product");
    }
}

int main() {
  check(1, 1, 1);
  check(16, 16, 16);
  check(31, 33, 17);
  check(64, 5, 90);
  return failures();
}
