// What is positive is kept, in any order: a warp takes its places by one atomic (Adinets, 2014).
#include "check.cuh"

__global__ void keep_positive(const int* x, int n, int* kept, unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool wanted = i < n && x[i] > 0;
  const unsigned takers = __ballot_sync(0xffffffff, wanted), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(count, __popc(takers));
  first = __shfl_sync(0xffffffff, first, 0);
  if (wanted) kept[first + __popc(takers & ((1u << lane) - 1))] = x[i];
}

int main() {
  for (std::size_t n : sizes) {
    std::vector<int> x(n), expected;
    for (std::size_t k = 0; k < n; ++k)
      if ((x[k] = k * 7919 % 2001 - 1000) > 0) expected.push_back(x[k]);
    device_vector_of<int> dx(x), kept(std::vector<int>(n, 0));
    device_vector_of<unsigned> count(std::vector<unsigned>(1));
    if (n > 0) keep_positive<<<(n + 127) / 128, 128>>>(dx.data, n, kept.data, count.data);
    CHECK_CUDA(cudaGetLastError());
    std::vector<int> found = kept.host();
    expect_equal(count.host()[0], expected.size(), "how many are kept");
    found.resize(expected.size());
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    expect(found == expected, "what is kept");
  }
  return failures();
}
