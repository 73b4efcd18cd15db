// Warp functions and atomic functions.
#include "check.cuh"

#define FULL 0xffffffffu

__global__ void shuffles(int* out) {
  const int lane = threadIdx.x % warpSize;
  int* mine = out + 8 * threadIdx.x;
  mine[0] = __shfl_sync(FULL, 10 * lane, 3);
  mine[1] = __shfl_up_sync(FULL, lane, 2);
  mine[2] = __shfl_down_sync(FULL, lane, 2);
  mine[3] = __shfl_xor_sync(FULL, lane, 5);
  mine[4] = __shfl_down_sync(FULL, lane, 1, 8);
  mine[5] = (int)__shfl_sync(FULL, 0.5 * lane, 31);
  mine[6] = (int)(__shfl_xor_sync(FULL, (long long)lane << 40, 1) >> 40);
  float v = lane;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  mine[7] = (int)v;
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned* mine = out + 8 * threadIdx.x;
  mine[0] = __ballot_sync(FULL, lane % 3 == 0);
  mine[1] = __any_sync(FULL, lane == 7);
  mine[2] = __all_sync(FULL, lane < 31);
  mine[3] = __match_any_sync(FULL, lane / 8);
  int alike = -1;
  mine[4] = __match_all_sync(FULL, 5, &alike);
  mine[5] = alike;
  __syncwarp();
  mine[6] = lane < 16 ? __ballot_sync(0xffff, 1) : __ballot_sync(0xffff0000, 1);
  mine[7] = __popc(__activemask()) > 0;
}

__global__ void integers(int* i, unsigned* u, unsigned long long* l) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], 1);
  atomicSub(&i[1], 2);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&i[4], ~(1 << (t % 31)));
  atomicOr(&i[5], 1 << (t % 31));
  atomicXor(&i[6], 1);
  if (t == 17) i[7] = atomicExch(&i[8], 99);
  if (atomicCAS(&i[9], 0, 1 + t) == 0) atomicAdd(&i[10], 1);
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicAdd(&u[2], 3u);
  atomicAdd_system(&u[3], 1u);
  atomicAdd_block(&u[4], 1u);
  atomicAdd(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)t << 35);
}

__global__ void reals(float* f, double* d) {
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  if (threadIdx.x == 0 && blockIdx.x == 0) f[2] = atomicExch(&f[1], 4.0f);
}

// A maximum of floats by compare and swap, as the programming guide has it.
__device__ float atomic_maximum(float* address, float value) {
  int* const bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void largest(float* x) { atomic_maximum(x, (threadIdx.x * 37) % 101); }

__global__ void histogram(const unsigned char* x, int n, unsigned* bins) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__device__ unsigned blocks_done = 0;
__global__ void last_block_sums(const int* x, int* partial, int* sum, int n) {
  __shared__ bool is_last;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i];
  for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(FULL, own, d);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    __threadfence();
    is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += ((volatile int*)partial)[b];
    *sum = all;
  }
}

int main() {
  device_vector_of<int> x(std::vector<int>(8 * 64));
  shuffles<<<1, 64>>>(x.data);
  std::vector<int> s = x.host();
  for (int t : {0, 1, 30, 31, 40, 63}) {
    const int lane = t % 32;
    expect_equal(s[8 * t], 30, "shfl");
    expect_equal(s[8 * t + 1], lane < 2 ? lane : lane - 2, "shfl_up");
    expect_equal(s[8 * t + 2], lane > 29 ? lane : lane + 2, "shfl_down");
    expect_equal(s[8 * t + 3], lane ^ 5, "shfl_xor");
    expect_equal(s[8 * t + 4], lane % 8 == 7 ? lane : lane + 1, "shfl_down of segments");
    expect_equal(s[8 * t + 5], 15, "shfl of doubles");
    expect_equal(s[8 * t + 6], lane ^ 1, "shfl of 64 bits");
  }
  expect_equal(s[7], 496, "a sum by shuffles");

  device_vector_of<unsigned> u(std::vector<unsigned>(8 * 32));
  votes<<<1, 32>>>(u.data);
  const std::vector<unsigned> v = u.host();
  expect(v[0] == 0x49249249u && v[1] != 0 && v[2] == 0, "ballot, any and all");
  expect(v[8 * 9 + 3] == 0xff00u && v[4] == FULL && v[5] == 1, "match_any and match_all");
  expect(v[6] == 0xffffu && v[8 * 31 + 6] == 0xffff0000u && v[7] == 1, "ballots of halves, and activemask");

  std::vector<int> start(11);
  start[2] = 5;
  start[4] = -1;
  device_vector_of<int> i(start);
  device_vector_of<unsigned> w(std::vector<unsigned>(8));
  device_vector_of<unsigned long long> l(std::vector<unsigned long long>(2));
  integers<<<8, 128>>>(i.data, w.data, l.data);
  const std::vector<int> r = i.host();
  expect(r[0] == 1024 && r[1] == -2048 && r[2] == -1023 && r[3] == 1023, "add, sub, min and max");
  expect(r[4] == (int)0x80000000 && r[5] == 0x7fffffff && r[6] == 0, "and, or and xor");
  expect(r[7] == 0 && r[8] == 99 && r[9] > 0 && r[10] == 1, "exchange and compare");
  const std::vector<unsigned> q = w.host();
  expect(q[0] == 1024 % 10 && q[1] == (10 - 1024 % 10) % 10 && q[2] == 3072, "inc, dec and add of unsigned");
  expect(q[3] == 1024 && q[4] == 1024, "scopes");
  expect(l.host()[0] == 1024ull << 33 && l.host()[1] == 1023ull << 35, "64 bits");

  device_vector_of<float> f(std::vector<float>(4));
  device_vector_of<double> d(std::vector<double>(1));
  reals<<<8, 128>>>(f.data, d.data);
  expect(f.host()[0] == 512 && d.host()[0] == 256 && f.host()[1] == 4 && f.host()[2] == 0, "floats and doubles");
  largest<<<1, 101>>>(f.data + 3);
  expect_equal(f.host()[3], 100, "a maximum by compare and swap");

  for (std::size_t n : sizes) {
    std::vector<unsigned char> bytes(n);
    std::vector<unsigned> expected(256);
    for (std::size_t k = 0; k < n; ++k) ++expected[bytes[k] = k * k % 251];
    device_vector_of<unsigned char> b(bytes);
    device_vector_of<unsigned> bins(std::vector<unsigned>(256));
    histogram<<<4, 256>>>(b.data, n, bins.data);
    expect(bins.host() == expected, "a histogram");
    std::vector<int> ones(n);
    long sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += ones[k] = k % 11;
    device_vector_of<int> o(ones), partial(16), total(1);
    last_block_sums<<<16, 32>>>(o.data, partial.data, total.data, n);
    expect_equal(total.host()[0], sum, "a sum by the last block");
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  return failures();
}
