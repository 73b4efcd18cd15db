// What the programs here share: each checks itself against plain loops of the host, and ends with the number of checks
// that failed.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(call)                                                                    \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(100);                                                                       \
    }                                                                                       \
  } while (0)

inline int& failures() {
  static int count = 0;
  return count;
}
inline void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures();
}
template <class A, class B>
void expect_equal(A found, B expected, const char* what) {
  if (found == static_cast<A>(expected)) return;
  std::printf("wrong: %s: %g, expected %g\n", what, static_cast<double>(found), static_cast<double>(expected));
  ++failures();
}
inline void expect_near(double found, double expected, double tolerance, const char* what) {
  if (std::fabs(found - expected) <= tolerance * std::fmax(1.0, std::fabs(expected))) return;
  std::printf("wrong: %s: %.17g, expected %.17g\n", what, found, expected);
  ++failures();
}

// A program built by nvcc has nothing to say on a machine without a GPU: status 77.
static const struct device_wanted {
  device_wanted() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return;
    std::printf("this machine has no GPU\n");
    std::exit(77);
  }
} device_is_here;

template <class T>
struct device_vector_of {
  T* data = nullptr;
  std::size_t size;
  explicit device_vector_of(std::size_t n) : size(n) { CHECK_CUDA(cudaMalloc(&data, (n ? n : 1) * sizeof(T))); }
  explicit device_vector_of(const std::vector<T>& host) : device_vector_of(host.size()) {
    CHECK_CUDA(cudaMemcpy(data, host.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_vector_of(const device_vector_of&) = delete;
  ~device_vector_of() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> copy(size);
    CHECK_CUDA(cudaMemcpy(copy.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }
};

// A kernel in a header.
static __global__ void fill_kernel(int* x, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = value + i;
}
inline void fill(int* x, int n, int value) { fill_kernel<<<4, 64>>>(x, n, value); }

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 100000};
