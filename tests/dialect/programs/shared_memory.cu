// Shared memory and barriers.
#include "check.cuh"

#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    a[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? A[row * n + k + threadIdx.x] : 0;
    b[threadIdx.y][threadIdx.x] = k + threadIdx.y < n && column < n ? B[(k + threadIdx.y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) C[row * n + column] = sum;
}

template <class T, int Threads>
__global__ void block_sums(const T* x, T* sums, int n) {
  __shared__ T partial[Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
  partial[t] = i < n ? x[i] : T(0);
  __syncthreads();
  for (int half = Threads / 2; half > 0; half >>= 1) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}

extern __shared__ float of_file[];
__global__ void reverse_of_file(float* x, int n) {
  of_file[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = of_file[n - 1 - threadIdx.x];
}

template <class T>
__global__ void reverse(T* x, int n) {
  extern __shared__ char memory[];
  T* s = reinterpret_cast<T*>(memory);
  __shared__ int last;
  if (threadIdx.x == 0) last = n - 1;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[last - threadIdx.x];
}

struct pair {
  int first;
  float second;
};
__device__ int maximum_of_block(int value) {
  __shared__ int found[256];
  found[threadIdx.x] = value;
  __syncthreads();
  int most = found[0];
  for (int k = 1; k < blockDim.x; ++k) most = max(most, found[k]);
  __syncthreads();
  return most;
}
__global__ void maxima(int* x) {
  __shared__ pair one;
  __shared__ __align__(16) volatile int counts[3];
  if (threadIdx.x < 3) counts[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 5) one = {7, 0.5f};
  const int most = maximum_of_block(int((threadIdx.x * 37) % 101)) + maximum_of_block(threadIdx.x);
  x[threadIdx.x] = most + one.first + counts[2] + int(2 * one.second);
}

__global__ void some_return(int* x) {
  __shared__ int s[64];
  if (threadIdx.x >= 40) return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = s[39 - threadIdx.x];
}

__global__ void votes(int* x) {
  x[0 + 3 * threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
  x[1 + 3 * threadIdx.x] = __syncthreads_and(threadIdx.x < 50);
  x[2 + 3 * threadIdx.x] = __syncthreads_or(threadIdx.x == 63);
}

int main() {
  for (int n : {1, 16, 33, 100}) {
    std::vector<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5;
    device_vector_of<float> A(a), B(b), C(n * n);
    const int blocks = (n + TILE - 1) / TILE;
    matmul<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(A.data, B.data, C.data, n);
    const std::vector<float> c = C.host();
    bool right = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += double(a[i * n + k]) * b[k * n + j];
        right &= c[i * n + j] == sum;
      }
    expect(right, "a product in tiles");
  }
  for (std::size_t n : sizes) {
    std::vector<int> x(n);
    long expected = 0, found = 0;
    for (std::size_t i = 0; i < n; ++i) expected += x[i] = i * i % 101;
    device_vector_of<int> dx(x), sums(n / 128 + 1);
    block_sums<int, 128><<<n / 128 + 1, 128>>>(dx.data, sums.data, n);
    for (int s : sums.host()) found += s;
    expect_equal(found, expected, "a sum in shared memory");
  }
  std::vector<float> numbers(100);
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  device_vector_of<float> y(numbers);
  reverse_of_file<<<1, 100, 100 * sizeof(float)>>>(y.data, 100);
  expect(y.host()[0] == 99 && y.host()[99] == 0, "dynamic memory declared outside of functions");
  reverse<<<1, 100, 100 * sizeof(float)>>>(y.data, 100);
  expect(y.host()[0] == 0 && y.host()[99] == 99, "dynamic memory beside static memory");
  device_vector_of<int> x(std::vector<int>(192));
  maxima<<<1, 128>>>(x.data);
  expect_equal(x.host()[0], 100 + 127 + 7 + 2 + 1, "shared memory of a function, called twice");
  expect_equal(x.host()[127], 100 + 127 + 7 + 2 + 1, "the same for the last thread");
  some_return<<<1, 64>>>(x.data);
  expect(x.host()[0] == 39 && x.host()[39] == 0, "threads that return before a barrier");
  votes<<<1, 64>>>(x.data);
  const std::vector<int> v = x.host();
  expect(v[0] == 22 && v[1] == 0 && v[2] != 0, "votes at a barrier");
  CHECK_CUDA(cudaDeviceSynchronize());
  return failures();
}
