// Functions of the host in a stream: after what was queued before, and before what comes later.
#include <atomic>

#include "check.cuh"

__global__ void set_all(int* x, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] = value;
}

struct look {
  const int* host;
  int n, found = 0;
  std::atomic<int> calls{0};
};

void CUDART_CB see(void* data) {
  look& l = *(look*)data;
  for (int i = 0; i < l.n; ++i) l.found += l.host[i];
  ++l.calls;
}
void CUDART_CB see_status(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) see(data);
}

int main() {
  const int n = 1009;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  device_vector_of<int> x(n);
  int* host = nullptr;
  CHECK_CUDA(cudaMallocHost(&host, n * sizeof(int)));
  look first{host, n}, second{host, n};
  set_all<<<4, 64, 0, stream>>>(x.data, n, 2);
  CHECK_CUDA(cudaMemcpyAsync(host, x.data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaLaunchHostFunc(stream, see, &first));
  set_all<<<4, 64, 0, stream>>>(x.data, n, 5);
  CHECK_CUDA(cudaMemcpyAsync(host, x.data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamAddCallback(stream, see_status, &second, 0));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect(first.calls == 1 && second.calls == 1, "each is called once");
  expect_equal(first.found, 2 * n, "after what was queued before");
  expect_equal(second.found, 5 * n, "and the second after what came between");
  CHECK_CUDA(cudaFreeHost(host));
  CHECK_CUDA(cudaStreamDestroy(stream));
  return failures();
}
