// Points and their nearest centres: atomics in shared memory, doubles, and a loop on the host.
#include "check.cuh"

constexpr int centres = 4;

__global__ void assign(const float2* points, int n, const double2* centre, double* sums, int* counts) {
  __shared__ double x[centres], y[centres];
  __shared__ int count[centres];
  if (threadIdx.x < centres) x[threadIdx.x] = y[threadIdx.x] = 0, count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int nearest = 0;
    double least = 1e300;
    for (int c = 0; c < centres; ++c) {
      const double dx = points[i].x - centre[c].x, dy = points[i].y - centre[c].y;
      if (dx * dx + dy * dy < least) least = dx * dx + dy * dy, nearest = c;
    }
    atomicAdd(&x[nearest], (double)points[i].x);
    atomicAdd(&y[nearest], (double)points[i].y);
    atomicAdd(&count[nearest], 1);
  }
  __syncthreads();
  if (threadIdx.x >= centres) return;
  atomicAdd(&sums[2 * threadIdx.x], x[threadIdx.x]);
  atomicAdd(&sums[2 * threadIdx.x + 1], y[threadIdx.x]);
  atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

int main() {
  const int n = 3000;
  const double2 middle[centres] = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
  std::vector<float2> points(n);
  for (int k = 0; k < n; ++k)
    points[k] = make_float2(middle[k % 4].x + std::sin(k * 1.7), middle[k % 4].y + std::cos(k * 2.3));
  std::vector<double2> centre = {{1, 1}, {8, 1}, {2, 7}, {7, 8}};
  device_vector_of<float2> p(points);
  for (int round = 0; round < 3; ++round) {
    device_vector_of<double2> c(centre);
    device_vector_of<double> sums(std::vector<double>(2 * centres));
    device_vector_of<int> counts(std::vector<int>(centres, 0));
    assign<<<8, 128>>>(p.data, n, c.data, sums.data, counts.data);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<double> s = sums.host();
    const std::vector<int> m = counts.host();
    for (int k = 0; k < centres; ++k) {
      expect_equal(m[k], n / 4, "points of a centre");
      centre[k] = make_double2(s[2 * k] / m[k], s[2 * k + 1] / m[k]);
    }
  }
  for (int k = 0; k < centres; ++k) {
    double x = 0;
    for (int i = k; i < n; i += 4) x += points[i].x;
    expect_near(centre[k].x, x / (n / 4), 1e-9, "a centre");
  }
  return failures();
}
