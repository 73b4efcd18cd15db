// What is refused keeps its error until somebody asks, and the next call is not to blame.
#include <string>

#include "check.cuh"

__global__ void nothing() {}

int main() {
  nothing<<<1, 2048>>>();
  expect(cudaPeekAtLastError() == cudaErrorInvalidConfiguration, "too many threads in a block");
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess,
         "asked once, then forgotten");
  int* x = nullptr;
  expect(cudaMemcpy(x, nullptr, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue, "a copy to nowhere");
  expect(cudaGetLastError() == cudaErrorInvalidValue, "kept, too");
  expect(cudaFree(nullptr) == cudaSuccess, "nothing may be freed");
  expect(cudaSetDevice(100) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice,
         "no such device");
  expect(std::string(cudaGetErrorName(cudaErrorInvalidDevice)) == "cudaErrorInvalidDevice", "a name");
  expect(std::string(cudaGetErrorString(cudaErrorInvalidDevice)) == "invalid device ordinal", "a sentence");
  nothing<<<1, 1>>>();
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  return failures();
}
