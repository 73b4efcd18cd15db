// Functions of the device that call themselves, and each other.
#include "check.cuh"

__device__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ void sort(int* x, int first, int last) {
  if (first >= last) return;
  int middle = first;
  for (int i = first; i < last; ++i)
    if (x[i] < x[last]) {
      const int other = x[middle];
      x[middle++] = x[i], x[i] = other;
    }
  const int other = x[middle];
  x[middle] = x[last], x[last] = other;
  sort(x, first, middle - 1);
  sort(x, middle + 1, last);
}

__global__ void numbers(unsigned* x, bool* even) {
  x[threadIdx.x] = fibonacci(threadIdx.x % 16);
  even[threadIdx.x] = is_even(threadIdx.x);
}
__global__ void sort_rows(int* x, int rows, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) sort(x + row * width, 0, width - 1);
}

int main() {
  device_vector_of<unsigned> x(64);
  device_vector_of<bool> even(64);
  numbers<<<1, 64>>>(x.data, even.data);
  const std::vector<unsigned> found = x.host();
  expect(found[15] == 610 && found[16] == 0 && found[59] == 89, "a function that calls itself");
  bool is[64];
  CHECK_CUDA(cudaMemcpy(is, even.data, sizeof is, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) expect_equal(is[i], i % 2 == 0, "two that call each other");
  const int rows = 100, width = 20;
  std::vector<int> y(rows * width);
  for (size_t i = 0; i < y.size(); ++i) y[i] = (int)((i * 7919) % 1009);
  device_vector_of<int> dy(y);
  sort_rows<<<2, 64>>>(dy.data, rows, width);
  const std::vector<int> sorted = dy.host();
  for (int r = 0; r < rows; ++r)
    for (int i = 1; i < width; ++i) expect(sorted[r * width + i - 1] <= sorted[r * width + i], "quicksort");
  return failures();
}
