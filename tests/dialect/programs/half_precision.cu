// Numbers of 16 bits: arithmetic, comparisons, pairs, and what is lost between float and back.
#include <cuda_fp16.h>

#include "check.cuh"

__global__ void combine(const __half* x, const __half* y, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hlt(x[i], y[i]) ? __hadd(x[i], y[i]) : __hmul(x[i], y[i]);
}
__global__ void pairs(const float2* x, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma2(__float22half2_rn(x[i]), __float2half2_rn(2.0f), __float2half2_rn(1.0f));
}

int main() {
  const int n = 200;
  std::vector<__half> x(n), y(n);
  std::vector<float2> p(n);
  for (int k = 0; k < n; ++k) {
    x[k] = __float2half(0.25f * (k % 37));
    y[k] = __float2half(0.5f * (k % 11));
    p[k] = make_float2(0.5f * k, -k);
  }
  device_vector_of<__half> dx(x), dy(y), out(n);
  device_vector_of<float2> dp(p);
  device_vector_of<__half2> dq(n);
  combine<<<2, 100>>>(dx.data, dy.data, out.data, n);
  pairs<<<2, 100>>>(dp.data, dq.data, n);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<__half> found = out.host();
  const std::vector<__half2> q = dq.host();
  for (int k = 0; k < n; ++k) {
    const float a = 0.25f * (k % 37), b = 0.5f * (k % 11);
    expect_equal(__half2float(found[k]), a < b ? a + b : a * b, "a result of 16 bits, exact here");
    expect_equal(__low2float(q[k]), k + 1.0f, "the first of a pair");
    expect_equal(__high2float(q[k]), 1.0f - 2 * k, "the second of a pair");
  }
  expect(__half2float(__float2half(0.1f)) != 0.1f, "0.1 is not exact");
  return failures();
}
