// Memory, streams, events and devices.
#include <cuda_runtime.h>

#include "check.cuh"

__constant__ float coefficients[4];
__device__ int counter = 3;
__managed__ int shared_number = 1;
__constant__ struct {
  int a, b;
} settings;

__global__ void use(float* x) {
  x[threadIdx.x] = coefficients[threadIdx.x % 4] * settings.b;
  if (threadIdx.x == 0) {
    counter += settings.a;
    shared_number = 42;
  }
}
__global__ void plus_one(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] += 1;
}
__global__ void rows(float* x, size_t pitch, int width) {
  float* row = (float*)((char*)x + blockIdx.x * pitch);
  for (int i = threadIdx.x; i < width; i += blockDim.x) row[i] = 100 * blockIdx.x + i;
}

void symbols() {
  const float values[] = {1, 2, 3, 4};
  CHECK_CUDA(cudaMemcpyToSymbol(coefficients, values, sizeof values));
  const int two[] = {7, 2};
  CHECK_CUDA(cudaMemcpyToSymbol(settings, two, sizeof two));
  device_vector_of<float> x(32);
  use<<<1, 32>>>(x.data);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect(x.host()[5] == 4 && x.host()[31] == 8, "constant memory");
  int found = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&found, counter, sizeof found));
  expect_equal(found, 10, "a variable of the device");
  expect_equal(shared_number, 42, "a managed variable");
  int* address = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress((void**)&address, counter));
  plus_one<<<1, 1>>>(address, 1);
  CHECK_CUDA(cudaMemcpy(&found, address, sizeof found, cudaMemcpyDeviceToHost));
  expect_equal(found, 11, "a variable by its address");
  const float one = 9;
  CHECK_CUDA(cudaMemcpyToSymbol(coefficients, &one, sizeof one, 2 * sizeof(float)));
  use<<<1, 32>>>(x.data);
  expect_equal(x.host()[2], 18, "a part of constant memory");
}

void memory() {
  const int n = 1009;
  int *d = nullptr, *e = nullptr, *pinned = nullptr, *managed = nullptr;
  CHECK_CUDA(cudaMalloc((void**)&d, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&e, n * sizeof(int)));
  CHECK_CUDA(cudaMallocHost(&pinned, n * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&managed, n * sizeof(int)));
  CHECK_CUDA(cudaMemset(d, 0, n * sizeof(int)));
  CHECK_CUDA(cudaMemset(d, 0xff, 4));
  plus_one<<<3, 64>>>(d, n);
  CHECK_CUDA(cudaMemcpy(e, d, n * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy(pinned, e, n * sizeof(int), cudaMemcpyDefault));
  expect(pinned[0] == 0 && pinned[1] == 1 && pinned[n - 1] == 1, "memset and copies");
  CHECK_CUDA(cudaMemcpy(e + 5, pinned, 2 * sizeof(int), cudaMemcpyHostToDevice));
  int three[3];
  CHECK_CUDA(cudaMemcpy(three, e + 4, sizeof three, cudaMemcpyDeviceToHost));
  expect(three[0] == 1 && three[1] == 0 && three[2] == 1, "copies of parts");
  for (int i = 0; i < n; ++i) managed[i] = i;
  plus_one<<<3, 64>>>(managed, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect(managed[0] == 1 && managed[n - 1] == n, "managed memory");
  plus_one<<<1, 64>>>(pinned, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect_equal(pinned[n - 1], 2, "pinned memory of a kernel");
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, d + 3));
  expect(attributes.type == cudaMemoryTypeDevice, "what a pointer points to");
  size_t free_bytes = 0, total = 0;
  CHECK_CUDA(cudaMemGetInfo(&free_bytes, &total));
  expect(free_bytes > 0 && free_bytes <= total, "free memory");
  CHECK_CUDA(cudaFree(d));
  CHECK_CUDA(cudaFree(e));
  CHECK_CUDA(cudaFree(managed));
  CHECK_CUDA(cudaFree(0));
  CHECK_CUDA(cudaFreeHost(pinned));

  float *pitched = nullptr, host[5][33];
  size_t pitch = 0;
  CHECK_CUDA(cudaMallocPitch(&pitched, &pitch, 33 * sizeof(float), 5));
  expect(pitch >= 33 * sizeof(float) && pitch % 32 == 0, "a pitch");
  rows<<<5, 32>>>(pitched, pitch, 33);
  CHECK_CUDA(cudaMemcpy2D(host, sizeof host[0], pitched, pitch, sizeof host[0], 5, cudaMemcpyDeviceToHost));
  expect(host[0][32] == 32 && host[4][0] == 400 && host[4][32] == 432, "a copy of rows");
  CHECK_CUDA(cudaFree(pitched));
}

int called = 0;

void streams() {
  const int n = 100000;
  cudaStream_t first, second;
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaStreamCreate(&first));
  CHECK_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreateWithFlags(&stop, cudaEventDefault));
  int *x, *host;
  CHECK_CUDA(cudaMalloc(&x, n * sizeof(int)));
  CHECK_CUDA(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  CHECK_CUDA(cudaEventRecord(start, first));
  CHECK_CUDA(cudaMemcpyAsync(x, host, n * sizeof(int), cudaMemcpyHostToDevice, first));
  for (int k = 0; k < 5; ++k) plus_one<<<8, 128, 0, first>>>(x, n);
  CHECK_CUDA(cudaEventRecord(stop, first));
  CHECK_CUDA(cudaStreamWaitEvent(second, stop, 0));
  plus_one<<<8, 128, 0, second>>>(x, n);
  CHECK_CUDA(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  CHECK_CUDA(cudaLaunchHostFunc(second, [](void* data) { *(int*)data = 1; }, &called));
  CHECK_CUDA(cudaStreamSynchronize(second));
  expect(host[0] == 6 && host[n - 1] == n + 5 && called == 1, "two streams, an event between them");
  CHECK_CUDA(cudaEventSynchronize(stop));
  expect(cudaEventQuery(stop) == cudaSuccess && cudaStreamQuery(first) == cudaSuccess, "queries");
  float milliseconds = -1;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
  expect(milliseconds >= 0, "time between events");
  // The default stream waits for the first, and the first for it.
  CHECK_CUDA(cudaMemsetAsync(x, 0, n * sizeof(int), first));
  plus_one<<<8, 128>>>(x, n);
  plus_one<<<8, 128, 0, first>>>(x, n);
  CHECK_CUDA(cudaStreamSynchronize(first));
  CHECK_CUDA(cudaMemcpy(host, x, n * sizeof(int), cudaMemcpyDeviceToHost));
  expect(host[0] == 2 && host[n - 1] == 2, "the default stream comes between");
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
  CHECK_CUDA(cudaStreamDestroy(first));
  CHECK_CUDA(cudaStreamDestroy(second));
  CHECK_CUDA(cudaFree(x));
  CHECK_CUDA(cudaFreeHost(host));
}

void devices() {
  int count = 0, device = -1, value = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaGetDevice(&device));
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, device));
  expect(count >= 1 && device == 0 && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024, "a device");
  expect(properties.major >= 7 && properties.multiProcessorCount > 0 && properties.name[0] != 0, "its properties");
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  expect_equal(value, properties.multiProcessorCount, "an attribute");
  int blocks = 0, least = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plus_one, 256, 0));
  expect_equal(blocks, properties.maxThreadsPerMultiProcessor / 256, "occupancy");
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &block, plus_one, 0, 0));
  expect(block % 32 == 0 && block > 0 && least >= properties.multiProcessorCount, "a block size");
}

int main() {
  symbols();
  memory();
  streams();
  devices();
  CHECK_CUDA(cudaDeviceReset());
  return failures();
}
