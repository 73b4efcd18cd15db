// Events: what they order, and the time between them.
#include "check.cuh"

__global__ void spin(unsigned* x, unsigned rounds) {
  unsigned v = threadIdx.x;
  for (unsigned k = 0; k < rounds; ++k) v = v * 1664525u + 1013904223u;
  x[threadIdx.x] = v;
}
__global__ void copy(const unsigned* from, unsigned* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  cudaStream_t first, second;
  cudaEvent_t begin, done, end;
  CHECK_CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventCreate(&end));
  device_vector_of<unsigned> x(std::vector<unsigned>(32)), y(std::vector<unsigned>(32));
  CHECK_CUDA(cudaEventRecord(begin, first));
  spin<<<1, 32, 0, first>>>(x.data, 200000);
  CHECK_CUDA(cudaEventRecord(done, first));
  CHECK_CUDA(cudaStreamWaitEvent(second, done, 0));
  copy<<<1, 32, 0, second>>>(x.data, y.data);
  CHECK_CUDA(cudaEventRecord(end, first));
  CHECK_CUDA(cudaStreamSynchronize(second));
  CHECK_CUDA(cudaEventSynchronize(end));
  expect(cudaEventQuery(end) == cudaSuccess, "the event has come");
  float milliseconds = -1;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  expect(!(milliseconds < 0) && !(milliseconds > 60000), "a time");  // under the instruments it is not a number
  unsigned expected = 5;
  for (int k = 0; k < 200000; ++k) expected = expected * 1664525u + 1013904223u;
  expect_equal(y.host()[5], expected, "what the other stream waited for");
  CHECK_CUDA(cudaEventDestroy(begin));
  CHECK_CUDA(cudaEventDestroy(done));
  CHECK_CUDA(cudaEventDestroy(end));
  CHECK_CUDA(cudaStreamDestroy(first));
  CHECK_CUDA(cudaStreamDestroy(second));
  return failures();
}
