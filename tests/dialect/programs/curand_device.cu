// cuRAND in kernels: XORWOW and Philox from seeds, subsequences and offsets; all distributions; states that are kept.
#include <curand_kernel.h>

#include "check.cuh"
#include "curand_numbers.cuh"

// What the rows of curand_numbers.cuh hold. Those before `first_rounded` are exact.
template <class S>
__device__ void draw_row(S* state, double* to) {
  int k = 0;
  for (int i = 0; i < 6; ++i) to[k++] = curand(state);
  to[k++] = curand_uniform(state);
  to[k++] = curand_uniform_double(state);
  for (int i = 0; i < 3; ++i) to[k++] = curand_normal(state);
  const float2 pair = curand_normal2(state);
  to[k++] = pair.x;
  to[k++] = pair.y;
  to[k++] = curand_normal(state);  // the other of the second pair
  for (int i = 0; i < 3; ++i) to[k++] = curand_normal_double(state);
  const double2 double_pair = curand_normal2_double(state);
  to[k++] = double_pair.x;
  to[k++] = double_pair.y;
  for (int i = 0; i < 2; ++i) to[k++] = curand_log_normal(state, 1.0f, 0.5f);
  for (int i = 0; i < 2; ++i) to[k++] = curand_log_normal_double(state, 1.0, 0.5);
  to[k++] = curand_log_normal2(state, 1.0f, 0.5f).y;
  to[k++] = curand_poisson(state, 0.5);
  to[k++] = curand_poisson(state, 40.0);
  to[k++] = curand_poisson(state, 5000.0);
  to[k++] = curand(state);
}
constexpr int first_rounded = 8, row_size = 28;

__device__ inline void draw_philox_row(curandStatePhilox4_32_10_t* state, double* to) {
  int k = 0;
  to[k++] = curand(state);
  const uint4 bits = curand4(state);
  to[k++] = bits.x, to[k++] = bits.y, to[k++] = bits.z, to[k++] = bits.w;
  const float4 u = curand_uniform4(state);
  to[k++] = u.x, to[k++] = u.y, to[k++] = u.z, to[k++] = u.w;
  const double2 ud = curand_uniform2_double(state);
  to[k++] = ud.x, to[k++] = ud.y;
  const float4 z = curand_normal4(state);
  to[k++] = z.x, to[k++] = z.y, to[k++] = z.z, to[k++] = z.w;
  const float4 l = curand_log_normal4(state, -1.0f, 2.0f);
  to[k++] = l.x, to[k++] = l.y, to[k++] = l.z, to[k++] = l.w;
  const uint4 p = curand_poisson4(state, 7.0), q = curand_poisson4(state, 9000.0);
  to[k++] = p.x, to[k++] = p.y, to[k++] = p.z, to[k++] = p.w;
  to[k++] = q.x, to[k++] = q.y, to[k++] = q.z, to[k++] = q.w;
  to[k++] = curand(state);
}
constexpr int philox_first_rounded = 11, philox_row_size = 28;

#ifndef MAKES_CURAND_NUMBERS
template <class S>
__global__ void draw_rows(double* rows, const start* starts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  S state;
  curand_init(starts[i].seed, starts[i].subsequence, starts[i].offset, &state);
  draw_row(&state, rows + i * row_size);
}
__global__ void draw_philox_rows(double* rows, const start* starts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t state;
  curand_init(starts[i].seed, starts[i].subsequence, starts[i].offset, &state);
  draw_philox_row(&state, rows + i * philox_row_size);
}

// Counts among Poisson numbers and bits are whole: at a GPU's rounding one may differ from its neighbour.
void compare(const std::vector<double>& found, const double* expected, int size, int first_rounded_one,
             const char* what) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int column = (int)i % size;
    if (column < first_rounded_one || column == size - 1)
      expect_equal(found[i], expected[i], what);
    else
      expect_near(found[i], expected[i], expected[i] > 1000 ? 2e-3 : 2e-5, what);
  }
}

// States in memory, from launch to launch: the same numbers as in one go.
__global__ void begin(curandState* states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
__global__ void go_on(curandState* states, unsigned* bits, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState mine = states[i];
  for (int k = 0; k < each; ++k) bits[i * each + k] = curand(&mine);
  states[i] = mine;
}
template <class S>
__global__ void skip(unsigned* bits) {
  S skipped, begun;
  curand_init(77, 0, 0, &skipped);
  curand(&skipped);
  skipahead(1000002, &skipped);
  skipahead_sequence(5, &skipped);
  curand_init(77, 5, 1000003, &begun);
  bits[0] = curand(&skipped);
  bits[1] = curand(&begun);
}

// The mean and the variance of Poisson numbers, which both are `mean`.
template <class S>
__global__ void sum_poisson(double* sums, double mean, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  S state;
  curand_init(3, i, 0, &state);
  double sum = 0, squares = 0;
  for (int k = 0; k < each; ++k) {
    const double off = (double)curand_poisson(&state, mean) - mean;
    sum += off, squares += off * off;
  }
  sums[2 * i] = sum, sums[2 * i + 1] = squares;
}
template <class S>
void poisson_moments(double mean) {
  const int threads = 256, each = 400;
  device_vector_of<double> sums(2 * threads);
  sum_poisson<S><<<2, threads / 2>>>(sums.data, mean, each);
  double sum = 0, squares = 0;
  const std::vector<double> found = sums.host();
  for (int i = 0; i < threads; ++i) sum += found[2 * i], squares += found[2 * i + 1];
  const double n = threads * each;
  expect_near(sum / n / std::sqrt(mean), 0, 5 / std::sqrt(n), "the mean of Poisson numbers");
  expect_near(squares / n / mean, 1, 10 / std::sqrt(n), "the variance of Poisson numbers");
}

int main() {
  const std::vector<start> begins(std::begin(starts), std::end(starts));
  const int n = (int)begins.size();
  device_vector_of<start> from(begins);
  device_vector_of<double> rows(n * row_size), philox_rows(n * philox_row_size);
  draw_rows<curandStateXORWOW_t><<<2, 4>>>(rows.data, from.data, n);
  compare(rows.host(), xorwow_rows, row_size, first_rounded, "XORWOW");
  draw_rows<curandStatePhilox4_32_10_t><<<2, 4>>>(rows.data, from.data, n);
  compare(rows.host(), philox_rows_of_all, row_size, first_rounded, "Philox");
  draw_philox_rows<<<2, 4>>>(philox_rows.data, from.data, n);
  compare(philox_rows.host(), philox_rows_of_four, philox_row_size, philox_first_rounded, "Philox, by four");

  const int threads = 200;
  device_vector_of<curandState> states(threads);
  device_vector_of<unsigned> once(threads * 6), twice(threads * 3), skipped(2);
  begin<<<2, threads / 2>>>(states.data, 9);
  go_on<<<2, threads / 2>>>(states.data, once.data, 6);
  begin<<<2, threads / 2>>>(states.data, 9);
  go_on<<<2, threads / 2>>>(states.data, twice.data, 3);
  go_on<<<2, threads / 2>>>(states.data, twice.data, 3);
  const std::vector<unsigned> a = once.host(), b = twice.host();
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < 3; ++k) expect_equal(b[i * 3 + k], a[i * 6 + 3 + k], "a state that was kept");

  skip<curandStateXORWOW_t><<<1, 1>>>(skipped.data);
  expect_equal(skipped.host()[0], skipped.host()[1], "XORWOW, skipped ahead");
  skip<curandStatePhilox4_32_10_t><<<1, 1>>>(skipped.data);
  expect_equal(skipped.host()[0], skipped.host()[1], "Philox, skipped ahead");
  for (double mean : {3.0, 64.0, 100.0, 4000.0, 10000.0}) {
    poisson_moments<curandStateXORWOW_t>(mean);
    poisson_moments<curandStatePhilox4_32_10_t>(mean);
  }
  return failures();
}
#endif
