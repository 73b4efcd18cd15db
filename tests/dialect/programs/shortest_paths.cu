// Shortest paths between all pairs (Floyd, 1962): a launch for each node on the way.
#include "check.cuh"

__global__ void through(int* distance, int n, int k) {
  const int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y;
  if (to >= n) return;
  const int way = distance[from * n + k] + distance[k * n + to];
  if (way < distance[from * n + to]) distance[from * n + to] = way;
}

int main() {
  for (int n : {1, 31, 50}) {
    std::vector<int> d(n * n);
    for (int k = 0; k < n * n; ++k) d[k] = k / n == k % n ? 0 : k * 7919 % 97 < 20 ? 1 + k % 13 : 1 << 20;
    device_vector_of<int> distance(d);
    for (int k = 0; k < n; ++k) through<<<dim3((n + 31) / 32, n), 32>>>(distance.data, n, k);
    CHECK_CUDA(cudaGetLastError());
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    expect(distance.host() == d, "all distances");
  }
  return failures();
}
