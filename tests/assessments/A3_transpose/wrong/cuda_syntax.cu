// expect: compile_error
// CUDA C++ with a name that nobody has declared.

#include "assessments/A3_transpose/task.h"

__global__ void move(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[j];
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  move<<<1, 32>>>(in.data(), out.data(), 1);
}
