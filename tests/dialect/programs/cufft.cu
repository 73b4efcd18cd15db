// cuFFT: one to three dimensions, all types, in place and out of place, in batches, with strides, on streams.
#include <cufft.h>

#include <cmath>
#include <complex>

#include "check.cuh"

#define CHECK_CUFFT(call)                                                     \
  do {                                                                        \
    const cufftResult status = (call);                                        \
    if (status != CUFFT_SUCCESS) {                                            \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status); \
      std::exit(100);                                                         \
    }                                                                         \
  } while (0)

using complex = std::complex<double>;
const double two_pi = 6.283185307179586;

double number(int i) { return ((3 + 7 * i) % 11 - 5) / 4.0; }

// By its definition, over a row-major array of three extents.
std::vector<complex> transform(const std::vector<complex>& x, int nx, int ny, int nz, int sign) {
  std::vector<complex> y(x.size());
  for (int u = 0; u < nx; ++u)
    for (int v = 0; v < ny; ++v)
      for (int w = 0; w < nz; ++w)
        for (int i = 0; i < nx; ++i)
          for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k) {
              const double turns = (double)u * i / nx + (double)v * j / ny + (double)w * k / nz;
              y[(u * ny + v) * nz + w] += x[(i * ny + j) * nz + k] * std::polar(1.0, sign * two_pi * turns);
            }
  return y;
}

template <class Pair>
void expect_numbers(const std::vector<Pair>& found, const std::vector<complex>& expected, double tolerance,
                    const char* what) {
  expect_equal(found.size(), expected.size(), what);
  for (size_t i = 0; i < found.size() && i < expected.size(); ++i) {
    expect_near(found[i].x, expected[i].real(), tolerance, what);
    expect_near(found[i].y, expected[i].imag(), tolerance, what);
  }
}

template <class Pair>
std::vector<Pair> pairs_of(const std::vector<complex>& x) {
  std::vector<Pair> pairs(x.size());
  for (size_t i = 0; i < x.size(); ++i) pairs[i].x = x[i].real(), pairs[i].y = x[i].imag();
  return pairs;
}

cufftResult execute(cufftHandle plan, cufftComplex* in, cufftComplex* out, int sign) {
  return cufftExecC2C(plan, in, out, sign);
}
cufftResult execute(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int sign) {
  return cufftExecZ2Z(plan, in, out, sign);
}

template <class Pair>
void complex_transforms(int nx, int ny, int nz, cufftType type, double tolerance) {
  std::vector<complex> x(nx * ny * nz);
  for (size_t i = 0; i < x.size(); ++i) x[i] = complex(number((int)i), number((int)i + 5));
  const std::vector<complex> y = transform(x, nx, ny, nz, -1);
  cufftHandle plan;
  if (nx > 1)
    CHECK_CUFFT(cufftPlan3d(&plan, nx, ny, nz, type));
  else if (ny > 1)
    CHECK_CUFFT(cufftPlan2d(&plan, ny, nz, type));
  else
    CHECK_CUFFT(cufftPlan1d(&plan, nz, type, 1));
  device_vector_of<Pair> in(pairs_of<Pair>(x)), out(x.size());
  CHECK_CUFFT(execute(plan, in.data, out.data, CUFFT_FORWARD));
  expect_numbers(out.host(), y, tolerance, "forward");
  expect_numbers(in.host(), x, 0, "an input that stays");
  CHECK_CUFFT(execute(plan, out.data, out.data, CUFFT_INVERSE));
  std::vector<complex> scaled = x;
  for (complex& z : scaled) z *= (double)x.size();
  expect_numbers(out.host(), scaled, tolerance, "inverse, in place");
  CHECK_CUFFT(cufftDestroy(plan));
}

void real_transforms(int rows, int n) {
  std::vector<complex> x(rows * n);
  for (size_t i = 0; i < x.size(); ++i) x[i] = number((int)i);
  std::vector<complex> half;
  const int kept = n / 2 + 1;
  for (int r = 0; r < rows; ++r) {
    const std::vector<complex> row(x.begin() + r * n, x.begin() + (r + 1) * n), y = transform(row, 1, 1, n, -1);
    half.insert(half.end(), y.begin(), y.begin() + kept);
  }
  std::vector<float> numbers, padded(rows * kept * 2, -1);
  for (const complex& z : x) numbers.push_back((float)z.real());
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < n; ++i) padded[r * kept * 2 + i] = numbers[r * n + i];
  cufftHandle forward, back;
  CHECK_CUFFT(cufftPlan1d(&forward, n, CUFFT_R2C, rows));
  CHECK_CUFFT(cufftPlan1d(&back, n, CUFFT_C2R, rows));
  device_vector_of<float> in(numbers), again(numbers.size());
  device_vector_of<cufftComplex> out(half.size());
  CHECK_CUFFT(cufftExecR2C(forward, in.data, out.data));
  expect_numbers(out.host(), half, 1e-4, "real numbers");
  CHECK_CUFFT(cufftExecC2R(back, out.data, again.data));
  const std::vector<float> result = again.host();
  for (size_t i = 0; i < result.size(); ++i) expect_near(result[i], n * numbers[i], 1e-4, "and back");
  device_vector_of<float> both(padded);
  CHECK_CUFFT(cufftExecR2C(forward, both.data, (cufftComplex*)both.data));
  std::vector<cufftComplex> spectrum(half.size());
  CHECK_CUDA(cudaMemcpy(spectrum.data(), both.data, spectrum.size() * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
  expect_numbers(spectrum, half, 1e-4, "real numbers in place");
  CHECK_CUFFT(cufftExecC2R(back, (cufftComplex*)both.data, both.data));
  const std::vector<float> in_place = both.host();
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < n; ++i)
      expect_near(in_place[r * kept * 2 + i], n * numbers[r * n + i], 1e-4, "and back in place");
  for (const cufftHandle plan : {forward, back}) CHECK_CUFFT(cufftDestroy(plan));
}

void double_precision_in_two_dimensions(int rows, int columns) {
  std::vector<complex> x(rows * columns);
  std::vector<double> numbers;
  for (size_t i = 0; i < x.size(); ++i) x[i] = number((int)i), numbers.push_back(number((int)i));
  const std::vector<complex> y = transform(x, 1, rows, columns, -1);
  std::vector<complex> half;
  for (int r = 0; r < rows; ++r)
    half.insert(half.end(), y.begin() + r * columns, y.begin() + r * columns + columns / 2 + 1);
  cufftHandle forward, back;
  size_t bytes = 0;
  CHECK_CUFFT(cufftCreate(&forward));
  CHECK_CUFFT(cufftMakePlan2d(forward, rows, columns, CUFFT_D2Z, &bytes));
  CHECK_CUFFT(cufftPlan2d(&back, rows, columns, CUFFT_Z2D));
  device_vector_of<double> in(numbers), again(numbers.size());
  device_vector_of<cufftDoubleComplex> out(half.size());
  CHECK_CUFFT(cufftExecD2Z(forward, in.data, out.data));
  expect_numbers(out.host(), half, 1e-12, "double precision");
  CHECK_CUFFT(cufftExecZ2D(back, out.data, again.data));
  const std::vector<double> result = again.host();
  for (size_t i = 0; i < result.size(); ++i) expect_near(result[i], rows * columns * numbers[i], 1e-12, "and back");
  for (const cufftHandle plan : {forward, back}) CHECK_CUFFT(cufftDestroy(plan));
}

// The columns of a matrix by rows, on a stream.
void columns(int rows, int count) {
  std::vector<complex> x(rows * count);
  for (size_t i = 0; i < x.size(); ++i) x[i] = complex(number((int)i), 1);
  cufftHandle plan;
  int n[] = {rows}, embed[] = {rows};
  CHECK_CUFFT(cufftPlanMany(&plan, 1, n, embed, count, 1, embed, count, 1, CUFFT_C2C, count));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUFFT(cufftSetStream(plan, stream));
  device_vector_of<cufftComplex> in(pairs_of<cufftComplex>(x)), out(x.size());
  CHECK_CUFFT(cufftExecC2C(plan, in.data, out.data, CUFFT_FORWARD));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  std::vector<complex> expected(x.size());
  for (int c = 0; c < count; ++c) {
    std::vector<complex> column;
    for (int r = 0; r < rows; ++r) column.push_back(x[r * count + c]);
    column = transform(column, 1, 1, rows, -1);
    for (int r = 0; r < rows; ++r) expected[r * count + c] = column[r];
  }
  expect_numbers(out.host(), expected, 1e-4, "columns");
  CHECK_CUFFT(cufftDestroy(plan));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

int main() {
  for (const int n : {1, 2, 7, 64, 101}) complex_transforms<cufftComplex>(1, 1, n, CUFFT_C2C, 1e-4);
  complex_transforms<cufftComplex>(1, 5, 8, CUFFT_C2C, 1e-4);
  complex_transforms<cufftComplex>(3, 4, 5, CUFFT_C2C, 1e-4);
  complex_transforms<cufftDoubleComplex>(1, 1, 30, CUFFT_Z2Z, 1e-12);
  complex_transforms<cufftDoubleComplex>(2, 3, 7, CUFFT_Z2Z, 1e-12);
  for (const int n : {1, 2, 15, 16}) real_transforms(3, n);
  double_precision_in_two_dimensions(6, 9);
  double_precision_in_two_dimensions(4, 8);
  columns(12, 5);
  cufftHandle plan;
  expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "no points");
  return failures();
}
