// Libraries that CUDA sources call: cuRAND, CUB, Thrust; and what is said of wrong calls.

#include "tests/dialect/cuda_sources.h"

namespace {

using programs_test::ending, programs_test::expect_in, programs_test::expect_not_in;

struct cuda_library : programs_test::cuda_sources {};
struct inspected_cuda_library : programs_test::inspected_cuda_sources {};

}  // namespace

TEST_F(cuda_library, draws_curands_numbers_on_the_host) {
  const ending e = run_program("curand_host.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  EXPECT_EQ(e.error,
            "CURAND_STATUS_LENGTH_NOT_MULTIPLE: curandGenerateNormal: n is 3, and XORWOW gives normally distributed "
            "numbers in pairs; take an even n, or CURAND_RNG_PSEUDO_PHILOX4_32_10\n");
}

TEST_F(cuda_library, says_what_is_wrong_with_a_call_of_curand) {
  const ending e = run_source(R"(#include <curand.h>
#include <cstdio>
int main() {
  float host[4], *x;
  unsigned* k;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&k, sizeof host);
  curandGenerator_t g = nullptr;
  printf("%d %d", curandGenerateUniform(g, x, 4), curandDestroyGenerator(g));
  printf(" %d", curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
  printf(" %d", curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_DEFAULT));
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  printf(" %d", curandGenerateUniform(g, host, 4));
  printf(" %d", curandGenerateUniform(g, nullptr, 4));
  printf(" %d", curandGeneratePoisson(g, k, 4, 0));
  printf(" %d", curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED));
  curandDestroyGenerator(g);
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT);
  printf(" %d", curandGenerateUniform(g, x, 4));
  printf(" %d\n", curandGenerateUniform(g, host, 4));
  curandDestroyGenerator(g);
}
)");
  EXPECT_EQ(e.out, "101 101 103 101 201 201 104 104 201 0\n") << e.error;
  for (const char* sentence :
       {"CURAND_STATUS_NOT_INITIALIZED: curandGenerateUniform: there is no generator; call curandCreateGenerator() "
        "before\n",
        "CURAND_STATUS_NOT_INITIALIZED: curandDestroyGenerator: there is no generator; call curandCreateGenerator() "
        "before\n",
        "CURAND_STATUS_TYPE_ERROR: curandCreateGenerator: this generator isn't supported; take "
        "CURAND_RNG_PSEUDO_XORWOW or CURAND_RNG_PSEUDO_PHILOX4_32_10\n",
        "CURAND_STATUS_NOT_INITIALIZED: curandCreateGenerator: generator is a null pointer\n",
        "CURAND_STATUS_LAUNCH_FAILURE: curandGenerateUniform: the array is memory of the host, which a GPU can't "
        "reach; pass memory of cudaMalloc(), or make the generator by curandCreateGeneratorHost()\n",
        "CURAND_STATUS_LAUNCH_FAILURE: curandGenerateUniform: the array is a null pointer; pass memory of "
        "cudaMalloc()\n",
        "CURAND_STATUS_OUT_OF_RANGE: curandGeneratePoisson: the mean is 0; it is more than 0 and at most 400000\n",
        "CURAND_STATUS_OUT_OF_RANGE: curandSetGeneratorOrdering: this order isn't supported; take "
        "CURAND_ORDERING_PSEUDO_DEFAULT\n",
        "CURAND_STATUS_LAUNCH_FAILURE: curandGenerateUniform: the array is memory of the device, and the generator one "
        "for the host; make it by curandCreateGenerator()\n"})
    expect_in(sentence, e.error);
}

TEST_F(cuda_library, has_no_generators_but_two) {
  const ending e = run_source(
      "#include <curand_kernel.h>\n__global__ void k(curandStateMRG32k3a* s) { curand_init(1, 2, 3, s); }\n"
      "int main() {}\n");
#if defined(__clang__)  // leaves the reason out
  expect_in("no matching function for call to 'curand_init'", e.error);
#else
  expect_in("is unavailable: this generator isn't supported: take curandStateXORWOW or curandStatePhilox4_32_10",
            e.error);
#endif
}

TEST_F(cuda_library, says_what_is_wrong_with_a_call_of_cub) {
  const ending e = run_source(R"(#include <cub/cub.cuh>
#include <cstdio>
int main() {
  int host[4] = {}, *x;
  cudaMalloc(&x, sizeof host);
  size_t bytes = 1;
  printf("%d", cub::DeviceReduce::Sum(x, bytes, x, x, 4));
  cub::DeviceReduce::Sum(nullptr, bytes, x, x, 4);
  char* storage;
  cudaMalloc(&storage, bytes);
  printf(" %d", cub::DeviceReduce::Sum(storage, bytes, host, x, 4));
  printf(" %d", cub::DeviceReduce::Sum(storage, bytes, x, host, 4));
  printf(" %d\n", cub::DeviceReduce::Sum(malloc(bytes), bytes, x, x, 4));
}
)");
  EXPECT_EQ(e.out, "1 1 1 1\n") << e.error;
  for (const char* sentence :
       {"cudaErrorInvalidValue: cub::DeviceReduce::Sum: the temporary storage has 1 bytes, and 256 are wanted; ask by "
        "a "
        "call with a null pointer first\n",
        "cudaErrorInvalidValue: cub::DeviceReduce::Sum: d_in isn't memory that a GPU can reach; pass memory of "
        "cudaMalloc()\n",
        "cudaErrorInvalidValue: cub::DeviceReduce::Sum: d_out isn't memory that a GPU can reach; pass memory of "
        "cudaMalloc()\n",
        "cudaErrorInvalidValue: cub::DeviceReduce::Sum: d_temp_storage isn't memory that a GPU can reach; pass memory "
        "of cudaMalloc()\n"})
    expect_in(sentence, e.error);
}

TEST_F(cuda_library, names_what_stands_in_for_what_cub_has_more) {
  const auto of_call = [&](const std::string& call) {
    return run_source("#include <cub/cub.cuh>\nint main() {\n  size_t b;\n  int* x;\n  " + call + ";\n}\n").error;
  };
  expect_in("cub: Sum isn't supported: give each segment a block, and take its elements together by cub::BlockReduce",
            of_call("cub::DeviceSegmentedReduce::Sum(nullptr, b, x, x, 1, x, x)"));
  expect_in("cub: SortKeys isn't supported: sort numbers by cub::DeviceRadixSort, anything else by thrust::sort",
            of_call("cub::DeviceMergeSort::SortKeys(nullptr, b, x, 1, [](int a, int c) { return a < c; })"));
  expect_in("cub: If isn't supported: call cub::DeviceSelect for both parts, or thrust::partition",
            of_call("cub::DevicePartition::If(nullptr, b, x, x, x, 1, [](int a) { return a > 0; })"));
  expect_in("cub: ArgMin isn't supported: call thrust::min_element",
            of_call("cub::DeviceReduce::ArgMin(nullptr, b, x, x, 1)"));
}

TEST_F(cuda_library, says_where_thrust_comes_from) {
  const ending e = run_source("#include <thrust/no_such_header.h>\nint main() {}\n");
  EXPECT_EQ(e.status, 1);
  expect_in("Thrust's headers come from the package libthrust-dev: sudo apt install libthrust-dev", e.error);
}

// --- inspected -------------------------------------------------------------------------------------------------------

TEST_F(inspected_cuda_library, draws_random_numbers_without_findings) {
  const ending e = inspect_source(R"(#include <curand.h>
#include <curand_kernel.h>
__global__ void begin(curandState* s) { curand_init(1, threadIdx.x, 0, &s[threadIdx.x]); }
__global__ void add(curandState* s, float* x, int* n) {
  x[threadIdx.x] += curand_normal(&s[threadIdx.x]);
  n[threadIdx.x] = curand_poisson(&s[threadIdx.x], 100);
}
int main() {
  curandState* s;
  float* x;
  int* n;
  cudaMalloc(&s, 64 * sizeof(curandState));
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&n, 64 * sizeof(int));
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandGenerateUniform(g, x, 64);
  begin<<<1, 64>>>(s);
  add<<<1, 64>>>(s, x, n);
  cudaDeviceSynchronize();
  curandDestroyGenerator(g);
  cudaFree(s), cudaFree(x), cudaFree(n);
})");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: ", e.out);
}

TEST_F(inspected_cuda_library, knows_which_numbers_curand_has_made) {
  const ending e = inspect_source(R"(#include <curand.h>
__global__ void add(float* x) { x[threadIdx.x] += 1; }
int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(g, x, 63);
  add<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  curandDestroyGenerator(g);
  cudaFree(x);
})");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("uninitialized read [initcheck]", e.out);
}

// A program whose block takes its values together twice by CUB, with `between` the two.
std::string with_cub(const std::string& between) {
  return R"(#include <cub/cub.cuh>
__global__ void k(const int* x, int* y) {
  using reduce = cub::BlockReduce<int, 128>;
  __shared__ typename reduce::TempStorage temp;
  const int sum = reduce(temp).Sum(x[threadIdx.x]);
  )" + between +
         R"(
  const int again = reduce(temp).Sum(2 * x[threadIdx.x]);
  if (threadIdx.x == 0) y[0] = sum + again;
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&y, sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  k<<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x), cudaFree(y);
})";
}
TEST_F(inspected_cuda_library, uses_cub_without_findings) {
  const ending e = inspect_source(with_cub("__syncthreads();"));
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: ", e.out);
}
TEST_F(inspected_cuda_library, misses_a_barrier_between_two_calls_of_cub) {
  const ending e = inspect_source(with_cub(""));
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("race in block [racecheck]", e.out);
}

TEST_F(inspected_cuda_library, uses_thrust_without_findings) {
  if (!programs_test::has_thrust()) GTEST_SKIP() << "libthrust-dev 1.17 isn't installed";
  const ending e = inspect_source(R"(#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
__global__ void add(const int* x, int* y) { y[threadIdx.x] += x[threadIdx.x]; }
int main() {
  thrust::device_vector<int> x(64), y(64);
  thrust::sequence(x.begin(), x.end());
  thrust::sort(x.begin(), x.end(), thrust::greater<int>());
  add<<<1, 64>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data()));
  const int sum = thrust::reduce(y.begin(), y.end());
  int* own;
  cudaMalloc(&own, 64 * sizeof(int));
  thrust::copy(y.begin(), y.end(), thrust::device_pointer_cast(own));
  add<<<1, 64>>>(own, own);
  const bool is_right = sum == 2016 && thrust::device_pointer_cast(own)[0] == 126;
  cudaFree(own);
  return is_right ? 0 : 3;
})");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: ", e.out);
}
