// cuRAND's calls of the host: the numbers of both generators in their order, streams, offsets, seeds, wrong calls.
#include <curand.h>

#include "check.cuh"
#include "curand_numbers.cuh"

#define CHECK_CURAND(call)                                                    \
  do {                                                                        \
    const curandStatus_t status = (call);                                     \
    if (status != CURAND_STATUS_SUCCESS) {                                    \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status); \
      std::exit(100);                                                         \
    }                                                                         \
  } while (0)

constexpr std::size_t many = 300000;  // more than all generators draw in a turn
// Where the numbers of curand_numbers.cuh stand.
constexpr std::size_t places[] = {0,    1,    2,     3,     4,      5,      4095,   4096,
                                  8191, 8192, 65535, 65536, 262143, 262144, 262147, many - 1};
constexpr std::size_t count = sizeof places / sizeof places[0];

// Calls `generate(generator, array, n)` for an array that `take` makes and reads: the numbers at those places.
template <class T, class Take, class Generate>
void add_row(curandGenerator_t generator, std::vector<double>& rows, Take take, Generate generate) {
  CHECK_CURAND(curandSetGeneratorOffset(generator, 0));
  const std::vector<T> numbers = take((T*)nullptr, many, [&](T* to) { return generate(generator, to, many); });
  for (const std::size_t k : places) rows.push_back(numbers[k]);
}
template <class Take>
std::vector<double> rows_of(curandGenerator_t g, Take take) {
  CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
  std::vector<double> rows;
  add_row<unsigned>(g, rows, take, curandGenerate);
  add_row<float>(g, rows, take, curandGenerateUniform);
  add_row<double>(g, rows, take, curandGenerateUniformDouble);
  add_row<float>(g, rows, take, [](auto on, auto to, auto n) { return curandGenerateNormal(on, to, n, 1, 2); });
  add_row<double>(g, rows, take, [](auto on, auto to, auto n) { return curandGenerateNormalDouble(on, to, n, 1, 2); });
  add_row<float>(g, rows, take, [](auto on, auto to, auto n) { return curandGenerateLogNormal(on, to, n, 1, 0.5f); });
  add_row<double>(g, rows, take,
                  [](auto on, auto to, auto n) { return curandGenerateLogNormalDouble(on, to, n, 1, 0.5); });
  // One after the other, from an offset on, and with another seed.
  const auto bits = [&](std::size_t n) {
    return take((unsigned*)nullptr, n, [&](unsigned* to) { return curandGenerate(g, to, n); });
  };
  CHECK_CURAND(curandSetGeneratorOffset(g, 100001));
  for (unsigned b : bits(5)) rows.push_back(b);
  take((double*)nullptr, 70003, [&](double* to) { return curandGenerateUniformDouble(g, to, 70003); });
  for (unsigned b : bits(7)) rows.push_back(b);
  take((float*)nullptr, 10, [&](float* to) { return curandGenerateNormal(g, to, 10, 0, 1); });
  for (unsigned b : bits(4)) rows.push_back(b);
  CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(g, 99));
  CHECK_CURAND(curandSetGeneratorOffset(g, 12345));
  for (unsigned b : bits(4)) rows.push_back(b);
  return rows;
}
constexpr std::size_t exact_rows = 3, of_distributions = 7 * count;

#ifndef MAKES_CURAND_NUMBERS
void compare(const std::vector<double>& found, const double* expected, const char* what) {
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i < exact_rows * count || i >= of_distributions)
      expect_equal(found[i], expected[i], what);
    else
      expect_near(found[i], expected[i], 2e-5, what);
}

struct to_device {
  template <class T, class Generate>
  std::vector<T> operator()(T*, std::size_t n, Generate generate) const {
    device_vector_of<T> numbers(n);
    CHECK_CURAND(generate(numbers.data));
    return numbers.host();
  }
};
struct to_host {
  template <class T, class Generate>
  std::vector<T> operator()(T*, std::size_t n, Generate generate) const {
    std::vector<T> numbers(n);
    CHECK_CURAND(generate(numbers.data()));
    return numbers;
  }
};

__global__ void count_inside(const float* x, const float* y, int n, int* inside) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i] * x[i] + y[i] * y[i] <= 1;
  atomicAdd(inside, mine);
}

// Queued on a stream, between a copy and a kernel that wait for nothing.
void estimates_pi() {
  const int n = 200000;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  curandGenerator_t generator;
  CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CHECK_CURAND(curandSetStream(generator, stream));
  device_vector_of<float> x(n), y(n);
  device_vector_of<int> inside(1);
  CHECK_CUDA(cudaMemsetAsync(inside.data, 0, sizeof(int), stream));
  CHECK_CURAND(curandGenerateUniform(generator, x.data, n));
  CHECK_CURAND(curandGenerateUniform(generator, y.data, n));
  count_inside<<<8, 128, 0, stream>>>(x.data, y.data, n, inside.data);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect_near(4.0 * inside.host()[0] / n, 3.14159, 0.01, "pi");
  CHECK_CURAND(curandDestroyGenerator(generator));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void poisson_numbers(curandGenerator_t generator, double mean) {
  const int n = 100000;
  double sum = 0, squares = 0;
  device_vector_of<unsigned> numbers(n);
  CHECK_CURAND(curandGeneratePoisson(generator, numbers.data, n, mean));
  for (unsigned k : numbers.host()) sum += k - mean, squares += (k - mean) * (k - mean);
  expect_near(sum / n / std::sqrt(mean), 0, 5 / std::sqrt(n), "the mean of Poisson numbers");
  expect_near(squares / n / mean, 1, 10 / std::sqrt(n), "the variance of Poisson numbers");
}

int main() {
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    const bool xorwow = type == CURAND_RNG_PSEUDO_XORWOW;
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, type));
    compare(rows_of(generator, to_device()), xorwow ? xorwow_orders : philox_orders, xorwow ? "XORWOW" : "Philox");
    for (double mean : {2.0, 300.0, 20000.0}) poisson_numbers(generator, mean);
    device_vector_of<float> three(3);
    expect(curandGenerateNormal(generator, three.data, 3, 0, 1) ==
               (xorwow ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : CURAND_STATUS_SUCCESS),
           "three normally distributed numbers");
    CHECK_CURAND(curandDestroyGenerator(generator));
    CHECK_CURAND(curandCreateGeneratorHost(&generator, type));
    compare(rows_of(generator, to_host()), xorwow ? xorwow_orders : philox_orders, "of the host");
    CHECK_CURAND(curandDestroyGenerator(generator));
  }
  estimates_pi();
  return failures();
}
#endif
