// Pointers to functions of the device: in a table, in a variable whose value the host takes, of members.
#include "check.cuh"

using operation = float (*)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }

__device__ operation chosen = times;
__device__ const operation table[] = {plus, times, larger};

struct pair {
  float a, b;
  __device__ float sum() const { return a + b; }
  __device__ float difference() const { return a - b; }
};

__global__ void from_table(float* y) { y[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 2); }
__global__ void from_host(operation f, float* y) { y[threadIdx.x] = f(threadIdx.x, 3); }
__global__ void of_members(float* y) {
  float (pair::* const f)() const = threadIdx.x % 2 ? &pair::sum : &pair::difference;
  const pair p{5, (float)threadIdx.x};
  y[threadIdx.x] = (p.*f)();
}

int main() {
  device_vector_of<float> y(32);
  from_table<<<1, 32>>>(y.data);
  std::vector<float> found = y.host();
  for (int i = 0; i < 32; ++i)
    expect_equal(found[i], i % 3 == 0 ? i + 2 : i % 3 == 1 ? i * 2 : (i > 2 ? i : 2), "a table of functions");
  operation f = nullptr;
  CHECK_CUDA(cudaMemcpyFromSymbol(&f, chosen, sizeof f));
  from_host<<<1, 32>>>(f, y.data);
  found = y.host();
  for (int i = 0; i < 32; ++i) expect_equal(found[i], i * 3, "a function that the host hands over");
  of_members<<<1, 32>>>(y.data);
  found = y.host();
  for (int i = 0; i < 32; ++i) expect_equal(found[i], i % 2 ? 5 + i : 5 - i, "functions of members");
  return failures();
}
