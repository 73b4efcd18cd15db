// An array of structures and a structure of arrays: the same numbers in both.
#include "check.cuh"

struct particle {
  float x, y, z;
  int charge;
};
struct particles {
  float *x, *y, *z;
  int* charge;
};

__global__ void push(particle* p, int n, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particle own = p[i];
  own.x += step * own.charge, own.y -= step, own.z *= 2;
  p[i] = own;
}
__global__ void push(particles p, int n, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p.x[i] += step * p.charge[i], p.y[i] -= step, p.z[i] *= 2;
}

int main() {
  const int n = 1009;
  std::vector<particle> p(n);
  std::vector<float> x(n), y(n), z(n);
  std::vector<int> charge(n);
  for (int k = 0; k < n; ++k) p[k] = {x[k] = k, y[k] = 2 * k, z[k] = k % 5, charge[k] = k % 3 - 1};
  device_vector_of<particle> dp(p);
  device_vector_of<float> dx(x), dy(y), dz(z);
  device_vector_of<int> dc(charge);
  push<<<16, 64>>>(dp.data, n, 0.5f);
  push<<<16, 64>>>(particles{dx.data, dy.data, dz.data, dc.data}, n, 0.5f);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<particle> q = dp.host();
  x = dx.host(), y = dy.host(), z = dz.host();
  for (int k = 0; k < n; ++k) {
    expect(q[k].x == x[k] && q[k].y == y[k] && q[k].z == z[k] && q[k].charge == charge[k], "both layouts agree");
    expect_equal(q[k].x, k + 0.5f * (k % 3 - 1), "a place");
  }
  return failures();
}
