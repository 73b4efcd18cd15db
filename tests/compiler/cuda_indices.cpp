// Kernels as a CUDA source has them, behind the rewriter, whose indices are the usual sums: vectorised.sh checks
// whether g++ takes the elements of neighbouring threads for neighbours, as it does once cuda_marks has rewritten the
// sums.

#include "dialect/cuda_language.h"

__global__ void add_by_int(const float* x, const float* y, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = x[i] + y[i];
}

__global__ void add_by_unsigned(const float* x, const float* y, float* sums, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = x[i] + y[i];
}

void launch_them(const float* x, const float* y, float* sums) {
  const dialect::configuration asked(100, 256);
  dialect::configured<&add_by_int>("add_by_int", asked)(x, y, sums, 25600);
  dialect::configured<&add_by_unsigned>("add_by_unsigned", asked)(x, y, sums, 25600);
}
