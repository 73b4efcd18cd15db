// Three small programs in CUDA C++, with everything that gs does for you written out. with_gs.h has the same three.
//
//     ./gridstride run lessons/44_cuda_cpp/by_hand.cu [NUMBERS]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Every call of the runtime returns an error code. Whoever doesn't look at it never hears of the error.
void check(cudaError_t code, const char* call, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "by_hand.cu:%d: %s: %s\n", line, call, cudaGetErrorString(code));
  std::exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call, __LINE__)

constexpr int block = 256;
constexpr int bins = 16;

// --- 1: add ----------------------------------------------------------------------------------------------------------

__global__ void add(const float* x, const float* y, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = x[i] + y[i];
}

std::vector<float> added(const std::vector<float>& x, const std::vector<float>& y) {
  const int n = static_cast<int>(x.size());
  const std::size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMalloc(&d_sum, bytes));
  CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(n + block - 1) / block, block>>>(d_x, d_y, d_sum, n);
  CHECK(cudaGetLastError());
  std::vector<float> sum(n);
  CHECK(cudaMemcpy(sum.data(), d_sum, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  CHECK(cudaFree(d_sum));
  return sum;
}

// --- 2: the sum of each block's numbers, in shared memory ------------------------------------------------------------

__global__ void block_sums(const float* x, float* sums, int n) {
  __shared__ float part[block];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

std::vector<float> summed(const std::vector<float>& x) {
  const int n = static_cast<int>(x.size()), blocks = (n + block - 1) / block;
  float *d_x = nullptr, *d_sums = nullptr;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_sums, blocks * sizeof(float)));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  block_sums<<<blocks, block>>>(d_x, d_sums, n);
  CHECK(cudaGetLastError());
  std::vector<float> sums(blocks);
  CHECK(cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_sums));
  return sums;
}

// --- 3: a histogram of 0 to 1 ----------------------------------------------------------------------------------------

__global__ void count(const float* x, unsigned* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[static_cast<unsigned>(x[i] * bins)], 1u);
}

std::vector<unsigned> counted(const std::vector<float>& x) {
  const int n = static_cast<int>(x.size());
  float* d_x = nullptr;
  unsigned* d_counts = nullptr;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_counts, bins * sizeof(unsigned)));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_counts, 0, bins * sizeof(unsigned)));
  count<<<(n + block - 1) / block, block>>>(d_x, d_counts, n);
  CHECK(cudaGetLastError());
  std::vector<unsigned> counts(bins);
  CHECK(cudaMemcpy(counts.data(), d_counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_counts));
  return counts;
}

// --- main ------------------------------------------------------------------------------------------------------------

// FNV-1a (Fowler, Noll, Vo) of all the bits: results with the same 16 digits are the same.
template <class T>
std::uint64_t fingerprint(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t k = 0; k < values.size() * sizeof(T); ++k) hash = (hash ^ bytes[k]) * 0x100000001b3;
  return hash;
}

template <class T>
void print(const char* name, const std::vector<T>& values) {
  std::printf("%-10s %016llx\n", name, static_cast<unsigned long long>(fingerprint(values)));
}

// A launch that no device can do, and nobody asks how it went: `sum` stays as it was.
void too_many_threads() {
  const float before = -1;
  float *d_sum = nullptr, after = 0;
  CHECK(cudaMalloc(&d_sum, sizeof(float)));
  CHECK(cudaMemcpy(d_sum, &before, sizeof(float), cudaMemcpyHostToDevice));
  add<<<1, 2048>>>(d_sum, d_sum, d_sum, 1);
  const cudaError_t kept = cudaGetLastError();  // without this line: silence
  CHECK(cudaMemcpy(&after, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_sum));
  std::printf("2048 threads: %s, %s\n", cudaGetErrorName(kept), after == before ? "nothing ran" : "the kernel ran");
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100'000;
  if (n < 1) {
    std::fprintf(stderr, "by_hand.cu: how many numbers? At least 1.\n");
    return EXIT_FAILURE;
  }
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i * 37LL % 1009) / 1009;
    y[i] = 1.0f / static_cast<float>(1 + i);
  }
  print("add", added(x, y));
  print("block_sums", summed(x));
  print("count", counted(x));
  too_many_threads();
}
