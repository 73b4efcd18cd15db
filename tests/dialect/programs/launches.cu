// Kernels and launches in all their forms.
#include "check.cuh"

__global__ void add(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

template <class T, int Factor>
__global__ __launch_bounds__(256) void scale(T* x, int n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] *= Factor;
}

// The type follows from the arguments.
template <typename T>
__global__ void copy(const T* in, T* out, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// Two kernels of one name.
__global__ void set(int* x) { x[threadIdx.x] = 1; }
__global__ void set(int* x, int value) { x[threadIdx.x] = value; }

namespace deep::inside {
__global__ void numbers(int* x) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  int layer = blockIdx.z * blockDim.z + threadIdx.z;
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  x[(layer * height + row) * width + column] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;
}
}  // namespace deep::inside

__device__ int triangle(int n) { return n <= 0 ? 0 : n + triangle(n - 1); }
__device__ __noinline__ int own_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__host__ __device__ inline int twice(int x) { return 2 * x; }
struct line {
  int slope, offset;
  __host__ __device__ int operator()(int x) const { return slope * x + offset; }
};
template <class F>
__global__ void apply(int* x, int n, F f) {
  const int i = own_number();
  if (i < n) x[i] = f(i);
}
__global__ void triangles(int* x) { x[threadIdx.x] = triangle(threadIdx.x) + twice(threadIdx.x); }
__global__ void with_defaults(int* x, double value, long offset) { x[threadIdx.x] = (int)value + (int)offset; }
__global__ void dims(int* x) {
  dim3 block = blockDim;
  uint3 thread = threadIdx;
  if (blockIdx.x == 0 && thread.x == block.x - 1) x[0] = block.x * 100 + gridDim.x * 10 + warpSize;
}

// Sums of the threads' numbers that wrap around, as those of unsigned numbers may.
__global__ void wraps(long long* x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int below = threadIdx.x - 2, far = threadIdx.x + 2147483647u;
  const size_t wide = blockIdx.x * blockDim.x + threadIdx.x - 1;
  const long long product = (int)(i * 2000000000u);
  x[4 * i] = below;
  x[4 * i + 1] = far;
  x[4 * i + 2] = wide;
  x[4 * i + 3] = product;
}

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)

void test_add() {
  for (std::size_t n : sizes) {
    std::vector<float> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = i % 1013, y[i] = 0.5f * (i % 7);
    device_vector_of<float> dx(x), dy(y), out(n);
    dim3 blockDim(256), gridDim((n + blockDim.x - 1) / blockDim.x + 1);
    add<<<gridDim, blockDim>>>(dx.data, dy.data, out.data, n);
    const std::vector<float> found = out.host();
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right &= found[i] == x[i] + y[i];
    expect(right, "add at every size");
    scale<float, 3><<<(n + 255) / 256 + 1, 256>>>(out.data, n);
    copy<<<(n + 63) / 64 + 1, 64>>>(out.data, dx.data, n);
    const std::vector<float> scaled = dx.host();
    right = true;
    for (std::size_t i = 0; i < n; ++i) right &= scaled[i] == 3 * (x[i] + y[i]);
    expect(right, "scale and copy at every size");
  }
}

int main() {
  test_add();
  device_vector_of<int> x(4096);
  fill(x.data, 4096, 5);
  expect_equal(x.host()[4095], 4100, "a kernel of a header");

  deep::inside::numbers<<<dim3(2, 3, 2), dim3(4, 2, 3)>>>(x.data);
  std::vector<int> found = x.host();
  bool right = true;
  for (int layer = 0; layer < 6; ++layer)
    for (int row = 0; row < 6; ++row)
      for (int column = 0; column < 8; ++column)
        right &= found[(layer * 6 + row) * 8 + column] == column % 4 + 10 * (row % 2) + 100 * (layer % 3) +
                                                              1000 * (column / 4) + 10000 * (row / 2) +
                                                              100000 * (layer / 3);
  expect(right, "three dimensions of grid and block");

  set<<<1, 32>>>(x.data);
  expect_equal(x.host()[31], 1, "the first of two kernels of one name");
  set<<<1, 32>>>(x.data, 7);
  expect_equal(x.host()[31], 7, "the second");
  void (*kernel)(int*) = triangles;
  kernel<<<1, 100>>>(x.data);
  found = x.host();
  expect_equal(found[99], 99 * 100 / 2 + 2 * 99, "a kernel by its address, and recursion");
  apply<<<3, 40>>>(x.data, 100, line{3, 4});
  expect_equal(x.host()[99], 301, "an object that is called");
  const int factor = 5;
  apply<<<3, 40>>>(x.data, 100, [=] __host__ __device__(int i) { return i * factor; });
  expect_equal(x.host()[99], 495, "a lambda");
  LAUNCH(with_defaults, 1, 1 << 5, x.data, 3, 4);  // int becomes double and long
  expect_equal(x.host()[31], 7, "converted arguments, in a macro");
  triangles<<<1,  // blocks
              32>>>(x.data);
  expect_equal(x.host()[3], 12, "a launch of several lines");
  dims<<<3, 5>>>(x.data);
  expect_equal(x.host()[0], 500 + 30 + 32, "blockDim, gridDim and warpSize");
  with_defaults<<<1, 32, 0, 0>>>(x.data, 1.5, 1);
  expect_equal(x.host()[0], 2, "a launch with all four");
  const char* text = "k<<<1, 2>>>(x)";  // no launch: k<<<1, 2>>>(x)
  expect(text[1] == '<', "a launch in a string");
  const char* raw = R"(k<<<"1", 2>>>(x))";
  expect(raw[4] == '"', "a launch in a raw string");
  device_vector_of<long long> w(4 * 64);
  wraps<<<2, 32>>>(w.data);
  const std::vector<long long> wrapped = w.host();
  right = true;
  for (unsigned i = 0; i < 64; ++i)
    right &= wrapped[4 * i] == int(i % 32) - 2 && wrapped[4 * i + 1] == int(i % 32 + 2147483647u) &&
             wrapped[4 * i + 2] == (long long)(i - 1) && wrapped[4 * i + 3] == int(i * 2000000000u);
  expect(right, "sums that wrap around");
  CHECK_CUDA(cudaDeviceSynchronize());
  return failures();
}
