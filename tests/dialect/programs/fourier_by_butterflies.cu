// A Fourier transform of 256 numbers in a block: bits reversed, then butterflies (Cooley and Tukey, 1965).
#include "check.cuh"

constexpr int length = 256, bits = 8;

__global__ void transform(const float2* in, float2* out) {
  __shared__ float2 x[length];
  const int t = threadIdx.x;
  x[__brev((unsigned)t) >> (32 - bits)] = in[t];
  x[__brev((unsigned)(t + length / 2)) >> (32 - bits)] = in[t + length / 2];
  for (int half = 1; half < length; half *= 2) {
    __syncthreads();
    const int k = t % half, i = 2 * (t - k) + k, j = i + half;
    float sine, cosine;
    sincospif(-(float)k / half, &sine, &cosine);
    const float2 a = x[i], b = make_float2(x[j].x * cosine - x[j].y * sine, x[j].x * sine + x[j].y * cosine);
    x[i] = make_float2(a.x + b.x, a.y + b.y);
    x[j] = make_float2(a.x - b.x, a.y - b.y);
  }
  __syncthreads();
  out[t] = x[t];
  out[t + length / 2] = x[t + length / 2];
}

int main() {
  std::vector<float2> in(length);
  for (int k = 0; k < length; ++k) in[k] = make_float2(std::sin(0.3 * k) + k % 3, std::cos(1.1 * k));
  device_vector_of<float2> from(in), to(length);
  transform<<<1, length / 2>>>(from.data, to.data);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<float2> out = to.host();
  for (int f : {0, 1, 12, 100, 128, 255}) {
    double re = 0, im = 0;
    for (int k = 0; k < length; ++k) {
      const double angle = -2 * 3.14159265358979323846 * f * k / length;
      re += in[k].x * std::cos(angle) - in[k].y * std::sin(angle);
      im += in[k].x * std::sin(angle) + in[k].y * std::cos(angle);
    }
    expect_near(out[f].x, re, 1e-3, "a real part");
    expect_near(out[f].y, im, 1e-3, "an imaginary part");
  }
  return failures();
}
