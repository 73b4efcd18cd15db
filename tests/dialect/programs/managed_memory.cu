// Managed memory: a list that the host builds and a kernel follows, managed variables, advice.
#include "check.cuh"

struct node {
  int value;
  node* next;
};

__managed__ int total = 0;
__managed__ float weights[4] = {1, 2, 3, 4};

__global__ void add_up(const node* first) {
  int sum = 0;
  for (const node* n = first; n; n = n->next) sum += n->value;
  total = sum;
}
__global__ void scale(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= weights[i % 4];
}

int main() {
  node* first = nullptr;
  for (int i = 1; i <= 100; ++i) {
    node* n = nullptr;
    CHECK_CUDA(cudaMallocManaged(&n, sizeof(node)));
    *n = {i, first};
    first = n;
  }
  add_up<<<1, 1>>>(first);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect_equal(total, 5050, "a list");
  while (first) {
    node* const next = first->next;
    CHECK_CUDA(cudaFree(first));
    first = next;
  }
  const int n = 1009;
  float* x = nullptr;
  CHECK_CUDA(cudaMallocManaged((void**)&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = (float)i;
  scale<<<4, 128>>>(x, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  weights[1] = 10;
  scale<<<4, 128>>>(x, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  const float factors[] = {1, 20, 9, 16};
  for (int i = 0; i < n; ++i) expect_equal(x[i], i * factors[i % 4], "managed variables");
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, x));
  expect(attributes.type == cudaMemoryTypeManaged, "what it is");
  CHECK_CUDA(cudaStreamAttachMemAsync(0, x, 0, cudaMemAttachGlobal));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFree(x));
  return failures();
}
