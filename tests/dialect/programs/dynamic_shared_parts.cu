// Two arrays of different types in one piece of dynamic shared memory, whose size the launch gives.
#include "check.cuh"

__global__ void reverse_both(double* d, short* s, int n) {
  extern __shared__ double memory[];
  double* const doubles = memory;
  short* const shorts = (short*)(memory + n);
  const int t = threadIdx.x;
  if (t < n) {
    doubles[t] = d[t];
    shorts[t] = s[t];
  }
  __syncthreads();
  if (t < n) {
    d[t] = doubles[n - 1 - t];
    s[t] = shorts[n - 1 - t];
  }
}

int main() {
  for (int n : {1, 31, 32, 33, 500}) {
    std::vector<double> d(n);
    std::vector<short> s(n);
    for (int k = 0; k < n; ++k) d[k] = 0.5 * k, s[k] = 3 * k;
    device_vector_of<double> dd(d);
    device_vector_of<short> ds(s);
    reverse_both<<<1, 512, n * (sizeof(double) + sizeof(short))>>>(dd.data, ds.data, n);
    CHECK_CUDA(cudaGetLastError());
    std::reverse(d.begin(), d.end());
    std::reverse(s.begin(), s.end());
    expect(dd.host() == d && ds.host() == s, "both arrays reversed");
  }
  return failures();
}
