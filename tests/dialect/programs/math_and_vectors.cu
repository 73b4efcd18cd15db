// Vector types, functions of device code, and numbers of 16 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

__device__ __forceinline__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void add4(const float4* x, const float4* y, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(&x[i]) + y[i];
}

__global__ void floats(float* r, float x, float y) {
  r[0] = rsqrtf(x);
  r[1] = __expf(y);
  r[2] = __fmaf_rn(x, y, 1.0f);
  r[3] = __saturatef(-y) + __saturatef(y) + __saturatef(x);
  r[4] = __fdividef(y, x);
  r[5] = min(x, y) + max(x, y) * 2;
  r[6] = sinpif(0.25f) + cospif(1.0f);
  r[7] = fmaf(x, y, 2.0f) + fabsf(-x) + floorf(y) + powf(x, 2.0f) + cbrtf(27.0f);
  sincosf(y, &r[8], &r[9]);
  r[10] = __powf(2.0f, 3.0f) + __logf(1.0f) + __sinf(0.0f) + __cosf(0.0f) + exp10f(1.0f);
  r[11] = normcdff(0.0f) + rhypotf(3, 4) + norm3df(2, 3, 6);
  r[12] = __fadd_rn(x, y) - __fsub_rn(x, y) + __fmul_rn(x, y) + __fsqrt_rn(x) + __frcp_rn(x) + __fdiv_rn(y, x);
}
__global__ void doubles(double* r, double x) {
  r[0] = rsqrt(x);
  r[1] = __fma_rn(x, x, 1.0);
  r[2] = __longlong_as_double(__double_as_longlong(x) + 1) - x;
  r[3] = min(x, 3.0) + max(x, 3.0f);
  r[4] = erf(x) + lgamma(x) + tgamma(x);
  r[5] = __hiloint2double(__double2hiint(x), __double2loint(x));
}
__global__ void integers(long long* r, int x, unsigned u) {
  r[0] = __popc(u) + 100 * __clz(x) + 10000 * __ffs(x);
  r[1] = __brev(1u);
  r[2] = __mulhi(x, 1 << 30);
  r[3] = __umulhi(u, 1u << 31);
  r[4] = __mul24(-3, 5) + __umul24(0x1000003u, 2u);
  r[5] = __byte_perm(0x33221100, 0x77665544, 0x7250);
  r[6] = __funnelshift_l(0x80000000u, 1u, 1) + __funnelshift_r(0x80000000u, 1u, 31);
  r[7] = __sad(-3, 4, 1u) + __usad(3, 10, 1u);
  r[8] = __popcll(~0ull) + __clzll(1) + __ffsll(1ll << 40);
  r[9] = __float2int_rn(2.5f) + 10 * __float2int_rz(-2.5f) + 100 * __float2int_ru(2.1f) + 1000 * __float2int_rd(-2.1f);
  r[10] =
      __float2int_rz(3e9f) == 2147483647 && __float2int_rz(-3e9f) == -2147483647 - 1 && __float2int_rn(nanf("")) == 0;
  r[11] = __float_as_int(1.0f) + (long long)__int_as_float(0x40000000);
  r[12] = min(x, 3) + max(u, 5u) + abs(-x) + max(1ll, 2ll) + min(3ul, 4ul) + max(-1, 2u);
  r[13] = __hadd(5, 6) + __rhadd(5, 6) + __mul64hi(1ll << 62, 8) + __umul64hi(1ull << 63, 2);
  r[14] = (long long)__double2ll_rn(1e15) + __float2uint_rn(7.0f) + __double2int_rn(-1.5);
  r[15] = (long long)(__int2float_rn(7) + __uint2float_rn(8u)) + (long long)__ll2double_rn(9);
}

__global__ void halves(const float* x, __half* h, float* r) {
  const int i = threadIdx.x;
  h[i] = __float2half(x[i]);
  __syncthreads();
  if (i > 0) return;
  const half a = h[0], b = h[1];
  r[0] = __half2float(__hadd(a, b)) + __half2float(a * b) + __half2float(__hfma(a, b, a));
  const half2 pair = __floats2half2_rn(1.0f, 2.0f), sum = __hadd2(pair, __float2half2_rn(0.5f));
  const float2 both = __half22float2(__hmul2(sum, pair));
  r[1] = both.x + both.y + __low2float(sum) + __high2float(sum);
  r[2] = __hgt(a, b) + 2 * __hle(a, b) + 4 * (a == a);
  r[3] = __half2float(hsqrt(__float2half(2.0f)));
  r[4] = __half2float(__float2half(65520.0f));  // rounds to infinity
  r[5] = __half2float(__float2half(6e-8f));     // the smallest number
  const __nv_bfloat16 c = __float2bfloat16(3.14159f);
  r[6] = __bfloat162float(c) + __bfloat162float(c * c);
}

int main() {
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12 && alignof(double2) == 16 &&
                sizeof(uchar4) == 4 && alignof(uchar4) == 4 && alignof(float2) == 8 && sizeof(dim3) == 12);
  std::vector<float4> v(33);
  for (int i = 0; i < 33; ++i) v[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
  device_vector_of<float4> x(v), sum(33);
  add4<<<2, 32>>>(x.data, x.data, sum.data, 33);
  const float4 last = sum.host()[32];
  expect(last.x == 64 && last.y == 128 && last.z == 192 && last.w == 256, "float4");
  const uint3 three = make_uint3(1, 2, 3);
  const dim3 grid = three;
  expect(grid.z == 3 && make_int2(4, 5).y == 5 && make_double4(1, 2, 3, 4).w == 4, "vectors of the host");

  device_vector_of<float> f(std::vector<float>(16));
  floats<<<1, 1>>>(f.data, 4.0f, 0.75f);
  const std::vector<float> r = f.host();
  const double e = 2e-6;
  expect_near(r[0], 0.5, e, "rsqrtf");
  expect_near(r[1], std::exp(0.75), e, "__expf");
  expect_near(r[2], 4, 0, "__fmaf_rn");
  expect_near(r[3], 1.75, 0, "__saturatef");
  expect_near(r[4], 0.1875, e, "__fdividef");
  expect_near(r[5], 8.75, 0, "min and max");
  expect_near(r[6], std::sqrt(0.5) - 1, e, "sinpif and cospif");
  expect_near(r[7], 5 + 4 + 0 + 16 + 3, e, "functions of C");
  expect(std::fabs(r[8] - std::sin(0.75)) < e && std::fabs(r[9] - std::cos(0.75)) < e, "sincosf");
  expect_near(r[10], 19, e, "fast functions");
  expect_near(r[11], 0.5 + 0.2 + 7, e, "normcdff, rhypotf and norm3df");
  expect_near(r[12], 4.75 - 3.25 + 3 + 2 + 0.25 + 0.1875, 0, "rounded operations");

  device_vector_of<double> d(std::vector<double>(8));
  doubles<<<1, 1>>>(d.data, 2.5);
  const std::vector<double> q = d.host();
  expect_near(q[0], 1 / std::sqrt(2.5), 1e-15, "rsqrt");
  expect_near(q[1], 7.25, 0, "__fma_rn");
  expect(q[2] == std::nextafter(2.5, 3) - 2.5, "bits of a double");
  expect_near(q[3], 5.5, 0, "min and max of doubles");
  expect_near(q[4], std::erf(2.5) + std::lgamma(2.5) + std::tgamma(2.5), 1e-14, "erf and gamma");
  expect_near(q[5], 2.5, 0, "words of a double");

  device_vector_of<long long> l(16);
  integers<<<1, 1>>>(l.data, 40, 0xf0f0u);
  const std::vector<long long> n = l.host();
  const long long expected[] = {8 + 100 * 26 + 10000 * 4,
                                0x80000000,
                                10,
                                0xf0f0 / 2,
                                0xfffffff7,
                                0x77225500,
                                3 + 3,
                                8 + 8,
                                64 + 63 + 41,
                                2 - 20 + 300 - 3000,
                                1,
                                0x3f800000 + 2,
                                3 + 0xf0f0 + 40 + 2 + 3 + 0xffffffffll,
                                5 + 6 + 2 + 1,
                                1000000000000000 + 7 - 2,
                                15 + 9};
  for (int k = 0; k < 16; ++k) {
    if (n[k] != expected[k]) std::printf("integers %d: ", k);
    expect_equal(n[k], expected[k], "functions of integers");
  }

  std::vector<float> start(32);
  start[0] = 1.5f;
  start[1] = 2.25f;
  start[2] = 1 / 3.0f;
  device_vector_of<float> given(start);
  device_vector_of<__half> h(std::vector<__half>(32));
  halves<<<1, 32>>>(given.data, h.data, f.data);
  const std::vector<float> g = f.host();
  expect_near(g[0], 3.75 + 3.375 + 4.875, 0, "half: sum, product and fma");
  expect_near(g[1], 1.5 + 5 + 1.5 + 2.5, 0, "half2");
  expect_near(g[2], 6, 0, "half: comparisons");
  expect_near(g[3], 1.4140625, 0, "half: root");
  expect(std::isinf(g[4]) && g[5] == std::ldexp(1.0f, -24), "half: the largest and the smallest");
  expect_near(g[6], 3.140625 + 9.875, 0, "bfloat16");
  expect_equal(__half2float(h.host()[2]), 0.333251953125f, "half of the host");
  return failures();
}
