// Indices that no int has: the elements lie behind 2^31 others, of which nobody uses any.
#include "check.cuh"

constexpr int width = 32, height = 4;

__global__ void far_away(char* x, unsigned begin, int as_int, unsigned n) {
  x[begin + threadIdx.x] = 1;
  x[as_int + threadIdx.x] = 3;  // the int becomes an unsigned number again
  x[(begin / n + threadIdx.y) * n + begin % n + n + threadIdx.x] = 2;
}

int main() {
  constexpr unsigned n = 1000, begin = 3u << 30;
  device_vector_of<char> x(std::size_t(begin) + 8 * n);
  char* const there = x.data + begin;
  CHECK_CUDA(cudaMemset(there, 0, 8 * n));
  far_away<<<1, dim3(width, height)>>>(x.data, begin, static_cast<int>(begin + (height + 1) * n), n);
  std::vector<char> found(8 * n);
  CHECK_CUDA(cudaMemcpy(found.data(), there, found.size(), cudaMemcpyDeviceToHost));
  for (unsigned k = 0; k < found.size(); ++k) {
    const unsigned row = k / n, column = k % n;
    const int expected = column >= width ? 0 : row == 0 ? 1 : row <= height ? 2 : row == height + 1 ? 3 : 0;
    expect_equal(int(found[k]), expected, "an element behind 2^31 others");
  }
  return failures();
}
