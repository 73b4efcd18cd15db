// Lambdas: of device code, handed to a kernel as an extended one, with copies of what they use.
#include "check.cuh"

template <class F>
__global__ void for_each(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}

__global__ void local(int* x, int n) {
  const auto square = [](int i) { return i * i; };
  int calls = 0;
  const auto count = [&] { return ++calls; };
  const int i = threadIdx.x;
  if (i < n) x[i] = square(i) + count() + count();
}

int main() {
  for (const size_t size : sizes) {
    const int n = (int)size;
    device_vector_of<int> x(size);
    int* const data = x.data;
    const int factor = 3;
    for_each<<<4, 64>>>(n, [=] __device__(int i) { data[i] = factor * i; });
    for_each<<<4, 64>>>(n, [=] __device__(int i) { data[i] += 1; });
    const std::vector<int> found = x.host();
    for (int i = 0; i < n; ++i) expect_equal(found[i], 3 * i + 1, "a lambda of the host's variables");
  }
  device_vector_of<int> y(32);
  local<<<1, 32>>>(y.data, 32);
  expect(y.host()[5] == 28 && y.host()[31] == 964, "lambdas in a kernel");
  return failures();
}
