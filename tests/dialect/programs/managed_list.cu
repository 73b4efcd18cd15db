// A list in managed memory that the host builds and the device walks.
#include "check.cuh"

struct node {
  int value;
  node* next;
};

__global__ void walk(const node* first, int* sum) {
  *sum = 0;
  for (const node* l = first; l; l = l->next) *sum += l->value;
}

int main() {
  node* first = nullptr;
  int* sum;
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof(int)));
  int expected = 0;
  for (int k = 0; k < 50; ++k) {
    node* l;
    CHECK_CUDA(cudaMallocManaged(&l, sizeof(node)));
    *l = {k * k, first};
    first = l;
    expected += k * k;
  }
  walk<<<1, 1>>>(first, sum);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect_equal(*sum, expected, "a sum along the list");
  while (first) {
    node* const next = first->next;
    CHECK_CUDA(cudaFree(first));
    first = next;
  }
  CHECK_CUDA(cudaFree(sum));
  return failures();
}
