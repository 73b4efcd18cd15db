// A search in a graph, level by level, until no thread finds a new node. A level that is read may change at the same
// time, but never to or from the one that is looked for: a race that does no harm, and that inspect names.
#include "check.cuh"

__global__ void visit(const int* begins, const int* ends, int* level, int nodes, int now, int* found_one) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != now) return;
  for (int k = begins[node]; k < begins[node + 1]; ++k)
    if (atomicCAS(&level[ends[k]], -1, now + 1) == -1) *found_one = 1;
}

int main() {
  const int nodes = 500;
  std::vector<int> begins = {0}, ends, level(nodes, -1);
  for (int node = 0; node < nodes; ++node) {
    for (int next : {node + 1, node + 17, node * 3 % nodes})
      if (next < nodes && node % 50 != 49) ends.push_back(next);
    begins.push_back(ends.size());
  }
  level[0] = 0;
  device_vector_of<int> b(begins), e(ends), l(level), flag(std::vector<int>(1));
  for (int now = 0, more = 1; more; ++now) {
    CHECK_CUDA(cudaMemset(flag.data, 0, sizeof(int)));
    visit<<<(nodes + 63) / 64, 64>>>(b.data, e.data, l.data, nodes, now, flag.data);
    CHECK_CUDA(cudaMemcpy(&more, flag.data, sizeof more, cudaMemcpyDeviceToHost));
  }
  std::vector<int> queue = {0};
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (int j = begins[queue[k]]; j < begins[queue[k] + 1]; ++j)
      if (level[ends[j]] < 0) level[ends[j]] = level[queue[k]] + 1, queue.push_back(ends[j]);
  expect(l.host() == level, "levels");
  return failures();
}
