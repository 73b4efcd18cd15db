// Gaussian elimination without pivots: a launch for each column, and one for what is below it.
#include "check.cuh"

__global__ void factors(double* a, int n, int k) {
  const int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) a[row * (n + 1) + k] /= a[k * (n + 1) + k];
}
__global__ void eliminate(double* a, int n, int k) {
  const int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, row = k + 1 + blockIdx.y;
  if (column <= n && row < n) a[row * (n + 1) + column] -= a[row * (n + 1) + k] * a[k * (n + 1) + column];
}

int main() {
  for (int n : {1, 2, 33, 60}) {
    std::vector<double> a(n * (n + 1)), x(n);
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (int c = 0; c < n; ++c) {
        a[r * (n + 1) + c] = r == c ? n + 2 : 1.0 / (1 + (r * 7 + c * 3) % 11);
        sum += a[r * (n + 1) + c] * (c + 1);
      }
      a[r * (n + 1) + n] = sum;
    }
    device_vector_of<double> da(a);
    for (int k = 0; k + 1 < n; ++k) {
      factors<<<(n + 31) / 32, 32>>>(da.data, n, k);
      eliminate<<<dim3((n + 32) / 32, n - k - 1), 32>>>(da.data, n, k);
    }
    CHECK_CUDA(cudaGetLastError());
    a = da.host();
    for (int r = n - 1; r >= 0; --r) {
      x[r] = a[r * (n + 1) + n];
      for (int c = r + 1; c < n; ++c) x[r] -= a[r * (n + 1) + c] * x[c];
      x[r] /= a[r * (n + 1) + r];
      expect_near(x[r], r + 1, 1e-9, "a solution");
    }
  }
  return failures();
}
