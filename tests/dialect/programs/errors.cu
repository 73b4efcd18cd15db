// Errors that a program may go on after.
#include <string>

#include "check.cuh"

__global__ void nothing() {}
__global__ void store(int* x) { x[threadIdx.x] = 1; }

int main() {
  int *d = nullptr, host = 0;
  nothing<<<1, 2048>>>();
  expect(cudaPeekAtLastError() == cudaErrorInvalidConfiguration, "2,048 threads are refused");
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "the error is still there after a peek");
  expect(cudaGetLastError() == cudaSuccess, "and gone when it was asked for");
  nothing<<<0, 32>>>();
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "a grid of no blocks is refused");
  nothing<<<1, dim3(1, 1, 65)>>>();
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "65 threads along z are refused");
  nothing<<<dim3(1, 65536), 1>>>();
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "65,536 blocks along y are refused");
  nothing<<<1, 32, 1 << 20>>>();
  expect(cudaGetLastError() == cudaErrorInvalidValue, "a megabyte of shared memory is refused");
  nothing<<<1, 32>>>();
  expect(cudaDeviceSynchronize() == cudaSuccess, "a launch after that runs");

  expect(cudaMalloc(&d, size_t(1) << 60) == cudaErrorMemoryAllocation && d == nullptr, "an exabyte is refused");
  expect(cudaGetLastError() == cudaErrorMemoryAllocation, "and is the last error");
  expect(cudaMalloc(&d, 32 * sizeof(int)) == cudaSuccess, "memory after that");
  expect(cudaMemcpy(d, &host, sizeof host, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection, "a wrong direction");
  expect(cudaMemcpy(d, &host, 33 * sizeof(int), cudaMemcpyHostToDevice) == cudaErrorInvalidValue,
         "a copy beyond the end");
  expect(cudaMemset(d, 0, 33 * sizeof(int)) == cudaErrorInvalidValue, "a memset beyond the end");
  expect(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue, "a copy from nowhere");
  cudaGetLastError();
  expect(cudaSetDevice(99) == cudaErrorInvalidDevice, "a device that isn't there");
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float milliseconds = 0;
  expect(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle, "events not recorded");
  cudaGetLastError();
  store<<<1, 32>>>(d);
  expect(cudaMemcpy(&host, d + 31, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess && host == 1, "all works still");
  expect(cudaFree(d) == cudaSuccess, "a free");
  expect(cudaFree(d) == cudaErrorInvalidValue, "a second free");
  cudaGetLastError();
  expect(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue", "an error's name");
  expect(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory", "an error's text");
  expect(std::string(cudaGetErrorString(cudaSuccess)) == "no error", "no error");
  return failures();
}
