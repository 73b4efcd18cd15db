// A running sum in a block, up and down a tree in dynamic shared memory (Blelloch, 1990).
#include "check.cuh"

__global__ void scan(int* x, int n) {
  extern __shared__ int tree[];
  const int t = threadIdx.x;
  tree[2 * t] = 2 * t < n ? x[2 * t] : 0;
  tree[2 * t + 1] = 2 * t + 1 < n ? x[2 * t + 1] : 0;
  int distance = 1;
  for (int active = blockDim.x; active > 0; active /= 2, distance *= 2) {
    __syncthreads();
    if (t < active) tree[distance * (2 * t + 2) - 1] += tree[distance * (2 * t + 1) - 1];
  }
  if (t == 0) tree[2 * blockDim.x - 1] = 0;
  for (int active = 1; active <= blockDim.x; active *= 2) {
    distance /= 2;
    __syncthreads();
    if (t >= active) continue;
    int& left = tree[distance * (2 * t + 1) - 1];
    int& right = tree[distance * (2 * t + 2) - 1];
    const int kept = left;
    left = right;
    right += kept;
  }
  __syncthreads();
  if (2 * t < n) x[2 * t] = tree[2 * t];
  if (2 * t + 1 < n) x[2 * t + 1] = tree[2 * t + 1];
}

int main() {
  for (int n : {0, 1, 31, 32, 33, 257, 512}) {
    std::vector<int> in(n);
    for (int k = 0; k < n; ++k) in[k] = k * k % 23;
    device_vector_of<int> x(in);
    scan<<<1, 256, 512 * sizeof(int)>>>(x.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<int> out = x.host();
    int before = 0;
    for (int k = 0; k < n; before += in[k++]) expect_equal(out[k], before, "the sum before an element");
  }
  return failures();
}
