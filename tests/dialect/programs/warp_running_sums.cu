// Running sums in a warp by shuffles up, then over the warps of a block.
#include "check.cuh"

__device__ int sum_until(int value) {
  const int lane = threadIdx.x & 31;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

__global__ void scan(const int* x, int* out, int n) {
  __shared__ int totals[32];
  const int t = threadIdx.x, warp = t / 32;
  int sum = sum_until(t < n ? x[t] : 0);
  if (t % 32 == 31) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) totals[t] = sum_until(t < blockDim.x / 32 ? totals[t] : 0);
  __syncthreads();
  if (warp > 0) sum += totals[warp - 1];
  if (t < n) out[t] = sum;
}

int main() {
  for (int n : {1, 31, 32, 33, 1000, 1024}) {
    std::vector<int> x(n);
    for (int k = 0; k < n; ++k) x[k] = k % 13 - 5;
    device_vector_of<int> dx(x), out(n);
    scan<<<1, 1024>>>(dx.data, out.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<int> found = out.host();
    int sum = 0;
    for (int k = 0; k < n; ++k) expect_equal(found[k], sum += x[k], "a running sum");
  }
  return failures();
}
