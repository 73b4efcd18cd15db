// What fits best: a row of the table for each thing, two rows that change places.
#include <utility>

#include "check.cuh"

__global__ void consider(const int* best, int* next, int capacity, int weight, int value) {
  const int room = blockIdx.x * blockDim.x + threadIdx.x;
  if (room > capacity) return;
  next[room] = room >= weight ? max(best[room], best[room - weight] + value) : best[room];
}

int main() {
  const int capacity = 300, things = 25;
  std::vector<int> expected(capacity + 1);
  device_vector_of<int> a(expected), b(expected);
  int *best = a.data, *next = b.data;
  for (int k = 0; k < things; ++k) {
    const int weight = 5 + k * 17 % 41, value = 10 + k * 29 % 67;
    consider<<<(capacity + 128) / 128, 128>>>(best, next, capacity, weight, value);
    std::swap(best, next);
    for (int room = capacity; room >= weight; --room)
      expected[room] = std::max(expected[room], expected[room - weight] + value);
  }
  CHECK_CUDA(cudaGetLastError());
  std::vector<int> found(capacity + 1);
  CHECK_CUDA(cudaMemcpy(found.data(), best, found.size() * sizeof(int), cudaMemcpyDeviceToHost));
  expect(found == expected, "the best values");
  return failures();
}
