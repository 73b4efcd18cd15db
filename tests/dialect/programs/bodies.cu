// Bodies that attract each other; a block shares the positions that its threads need next.
#include "check.cuh"

constexpr int block = 64;

__global__ void accelerate(const float4* bodies, float3* acceleration, int n) {
  __shared__ float4 shared[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += block) {
    shared[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float4 other = shared[k];
      const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), pull = other.w * inverse * inverse * inverse;
      sum.x += pull * x, sum.y += pull * y, sum.z += pull * z;
    }
    __syncthreads();
  }
  if (i < n) acceleration[i] = sum;
}

int main() {
  for (int n : {1, 31, 64, 65, 200}) {
    std::vector<float4> bodies(n);
    for (int k = 0; k < n; ++k) bodies[k] = make_float4(std::sin(k), std::cos(2 * k), std::sin(3 * k), 1 + k % 3);
    device_vector_of<float4> from(bodies);
    device_vector_of<float3> to(n);
    accelerate<<<(n + block - 1) / block, block>>>(from.data, to.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<float3> found = to.host();
    for (int i = 0; i < n; ++i) {
      double x = 0, z = 0;
      for (int k = 0; k < n; ++k) {
        const double dx = bodies[k].x - bodies[i].x, dy = bodies[k].y - bodies[i].y, dz = bodies[k].z - bodies[i].z;
        const double r = std::sqrt(dx * dx + dy * dy + dz * dz + 0.01);
        x += bodies[k].w * dx / (r * r * r), z += bodies[k].w * dz / (r * r * r);
      }
      expect_near(found[i].x, x, 1e-4, "an acceleration along x");
      expect_near(found[i].z, z, 1e-4, "an acceleration along z");
    }
  }
  return failures();
}
