// A sum and a maximum by halves in shared memory, a template over the block's size and the operation.
#include "check.cuh"

struct plus {
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int block, class Operation>
__global__ void __launch_bounds__(block) fold(const int* x, int* result, int n, int start, Operation operation) {
  __shared__ int kept[block];
  int own = start;
  for (int i = threadIdx.x; i < n; i += block) own = operation(own, x[i]);
  kept[threadIdx.x] = own;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) kept[threadIdx.x] = operation(kept[threadIdx.x], kept[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *result = kept[0];
}

template <int block>
void check(std::size_t n) {
  std::vector<int> x(n);
  int sum = 0, maximum = -1000;
  for (std::size_t k = 0; k < n; ++k) sum += x[k] = k * 37 % 101 - 50, maximum = std::max(maximum, x[k]);
  device_vector_of<int> dx(x), result(2);
  fold<block><<<1, block>>>(dx.data, result.data, n, 0, plus());
  fold<block><<<1, block>>>(dx.data, result.data + 1, n, -1000, larger());
  CHECK_CUDA(cudaGetLastError());
  expect_equal(result.host()[0], sum, "a sum");
  expect_equal(result.host()[1], maximum, "a maximum");
}

int main() {
  for (std::size_t n : sizes) {
    check<1>(n);
    check<32>(n);
    check<256>(n);
  }
  return failures();
}
