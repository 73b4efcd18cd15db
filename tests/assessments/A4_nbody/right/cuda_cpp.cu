// CUDA C++: a block fetches as many bodies as it has threads, and each pulls on its own body with all of them.

#include <cuda_runtime.h>

#include "assessments/A4_nbody/task.h"

constexpr int threads = 128;

__global__ void move(const float* x, const float* v, const float* mass, int n, float softening, float step,
                     float* x_after, float* v_after) {
  __shared__ float4 bodies[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float3 own = i < n ? make_float3(x[i], x[n + i], x[2 * n + i]) : make_float3(0, 0, 0);
  float3 pull = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += threads) {
    const int k = first + threadIdx.x, here = min(threads, n - first);
    if (k < n) bodies[threadIdx.x] = make_float4(x[k], x[n + k], x[2 * n + k], mass[k]);
    __syncthreads();
    for (int b = 0; b < here; ++b) {
      const float4 other = bodies[b];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float square = dx * dx + dy * dy + dz * dz + softening * softening;
      const float weight = other.w / (square * sqrtf(square));
      pull.x += weight * dx;
      pull.y += weight * dy;
      pull.z += weight * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  const float3 faster = make_float3(v[i] + step * pull.x, v[n + i] + step * pull.y, v[2 * n + i] + step * pull.z);
  v_after[i] = faster.x;
  v_after[n + i] = faster.y;
  v_after[2 * n + i] = faster.z;
  x_after[i] = own.x + step * faster.x;
  x_after[n + i] = own.y + step * faster.y;
  x_after[2 * n + i] = own.z + step * faster.z;
}

void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after) {
  const int n = static_cast<int>(masses.size());
  if (n == 0) return;
  const std::size_t bytes = 3 * masses.size() * sizeof(float);
  if (steps == 0) {
    cudaMemcpy(positions_after.data(), positions.data(), bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(velocities_after.data(), velocities.data(), bytes, cudaMemcpyDeviceToDevice);
    return;
  }
  // The last step ends in the arrays that are asked for, each one before it in the other ones.
  float *x_between = nullptr, *v_between = nullptr;
  cudaMalloc(&x_between, bytes);
  cudaMalloc(&v_between, bytes);
  const float *x = positions.data(), *v = velocities.data();
  for (unsigned k = steps; k > 0; --k) {
    float* const x_next = k % 2 == 1 ? positions_after.data() : x_between;
    float* const v_next = k % 2 == 1 ? velocities_after.data() : v_between;
    move<<<(n + threads - 1) / threads, threads>>>(x, v, masses.data(), n, softening, step, x_next, v_next);
    x = x_next;
    v = v_next;
  }
  cudaFree(x_between);
  cudaFree(v_between);
}
