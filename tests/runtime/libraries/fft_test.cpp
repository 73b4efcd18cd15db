// FFTs against the definition, a float64 double loop.

#include "runtime/libraries/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "tests/runtime/libraries/numbers.h"
#include "tests/runtime/refused.h"

namespace fft_test {

using runtime_test::numbers;
using runtime_test::refused;
using wide = std::complex<double>;

const std::vector<std::size_t> sizes{1, 2, 3, 8, 31, 32, 33, 100, 211, 1009, 1024};

template <class T>
gs::device_array<T> matrix(const std::vector<T>& elements, std::size_t rows, std::size_t columns) {
  gs::device_array<T> result({rows, columns});
  result.copy_from_host(elements);
  return result;
}

template <class A>
std::vector<wide> widened(const std::vector<A>& x) {
  return {x.begin(), x.end()};
}
template <>
std::vector<wide> widened(const std::vector<std::complex<float>>& x) {
  std::vector<wide> wider;
  for (const auto& value : x) wider.emplace_back(value.real(), value.imag());
  return wider;
}

// The sum over j of x[j] exp(sign 2 pi i j k / n) for n elements that stand `stride` apart, in place. Real and
// imaginary parts one by one: std::complex's product asks for NaNs, and the test isn't optimised.
void naive(wide* x, std::size_t n, std::size_t stride, int sign) {
  struct parts {
    double re, im;
  };
  std::vector<parts> roots(n), elements(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double angle = sign * 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
    roots[j] = {std::cos(angle), std::sin(angle)};
    elements[j] = {x[j * stride].real(), x[j * stride].imag()};
  }
  const double scale = sign > 0 ? 1 / static_cast<double>(n) : 1;
  const parts *const root = roots.data(), *const element = elements.data();
  for (std::size_t k = 0; k < n; ++k) {
    double re = 0, im = 0;
    for (std::size_t j = 0, at = 0; j < n; ++j) {
      re += element[j].re * root[at].re - element[j].im * root[at].im;
      im += element[j].re * root[at].im + element[j].im * root[at].re;
      at += k;
      if (at >= n) at -= n;  // j k mod n
    }
    x[k * stride] = {scale * re, scale * im};
  }
}
std::vector<wide> naive_rows(std::vector<wide> x, std::size_t columns, int sign) {
  for (std::size_t i = 0; i < x.size(); i += columns) naive(&x[i], columns, 1, sign);
  return x;
}
std::vector<wide> naive_2d(std::vector<wide> x, std::size_t columns, int sign) {
  x = naive_rows(std::move(x), columns, sign);
  for (std::size_t j = 0; j < columns; ++j) naive(&x[j], x.size() / columns, columns, sign);
  return x;
}
// The first m / 2 + 1 numbers of each row.
template <class T>
std::vector<T> half(const std::vector<T>& x, std::size_t columns) {
  std::vector<T> elements;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % columns <= columns / 2) elements.push_back(x[i]);
  return elements;
}

// The largest difference, relative to the root mean square of what is expected.
double error_of(const std::vector<wide>& computed, const std::vector<wide>& expected) {
  if (computed.size() != expected.size()) return HUGE_VAL;
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    largest = std::max(largest, std::abs(computed[i] - expected[i]));
    squares += std::norm(expected[i]);
  }
  return computed.empty() ? 0 : largest / std::sqrt(squares / static_cast<double>(computed.size()));
}
// The error of an FFT grows with log n (J. C. Schatzman, "Accuracy of the discrete Fourier transform and the fast
// Fourier transform", 1996); the naive sum in float64 has its own.
template <class T>
double allowed(std::size_t n) {
  return 4 * std::numeric_limits<T>::epsilon() * (3 + std::log2(static_cast<double>(n))) +
         static_cast<double>(n) * 1e-16;
}

template <class T>
class fft_tests : public testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(fft_tests, precisions);

TYPED_TEST(fft_tests, agrees_with_the_definition) {
  using complex = std::complex<TypeParam>;
  for (const std::size_t n : sizes) {
    const auto x = numbers<complex>(n, 1);
    EXPECT_LE(error_of(widened(gs::fft(gs::to_device(x)).copy_to_host()), naive_rows(widened(x), n, -1)),
              allowed<TypeParam>(n))
        << n;
    EXPECT_LE(error_of(widened(gs::ifft(gs::to_device(x)).copy_to_host()), naive_rows(widened(x), n, 1)),
              allowed<TypeParam>(n))
        << n;
  }
}

TYPED_TEST(fft_tests, of_real_numbers_is_half_the_spectrum) {
  for (const std::size_t n : sizes) {
    const auto x = numbers<TypeParam>(n, 2);
    const auto spectrum = gs::rfft(gs::to_device(x));
    EXPECT_EQ(spectrum.shape(), gs::shape(n / 2 + 1));
    EXPECT_LE(error_of(widened(spectrum.copy_to_host()), half(naive_rows(widened(x), n, -1), n)), allowed<TypeParam>(n))
        << n;
    const auto spectrum_before = spectrum.copy_to_host();
    EXPECT_LE(error_of(widened(gs::irfft(spectrum, n).copy_to_host()), widened(x)), 2 * allowed<TypeParam>(n)) << n;
    EXPECT_EQ(spectrum.copy_to_host(), spectrum_before) << "irfft changed its input of " << n;
  }
}

TYPED_TEST(fft_tests, transforms_each_row) {
  using complex = std::complex<TypeParam>;
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 7}, {7, 1}, {33, 31}, {5, 1009}, {300, 64}}) {
    const auto x = numbers<complex>(rows * columns, 3);
    const auto device = matrix(x, rows, columns);
    EXPECT_LE(error_of(widened(gs::fft(device).copy_to_host()), naive_rows(widened(x), columns, -1)),
              allowed<TypeParam>(columns));
    EXPECT_LE(error_of(widened(gs::ifft(gs::fft(device)).copy_to_host()), widened(x)), 2 * allowed<TypeParam>(columns));
    const auto real = numbers<TypeParam>(rows * columns, 4);
    const auto spectrum = gs::rfft(matrix(real, rows, columns));
    EXPECT_EQ(spectrum.shape(), gs::shape({rows, columns / 2 + 1}));
    EXPECT_LE(error_of(widened(spectrum.copy_to_host()), half(naive_rows(widened(real), columns, -1), columns)),
              allowed<TypeParam>(columns));
    EXPECT_LE(error_of(widened(gs::irfft(spectrum, columns).copy_to_host()), widened(real)),
              2 * allowed<TypeParam>(columns));
  }
  EXPECT_EQ(gs::fft(gs::device_array<complex>({0, 5})).shape(), gs::shape({0, 5}));
}

// The last two shapes go by lines, see runtime/libraries/fft_by_lines.h: one with rows and columns of odd length.
TYPED_TEST(fft_tests, in_two_dimensions_agrees_with_the_definition) {
  using complex = std::complex<TypeParam>;
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1},
                                      {1, 9},
                                      {9, 1},
                                      {31, 33},
                                      {64, 48},
                                      {101, 30},
                                      {257, 131},
                                      {64, 512}}) {
    const std::size_t n = rows * columns;
    const auto x = numbers<complex>(n, 5);
    const auto device = matrix(x, rows, columns);
    EXPECT_LE(error_of(widened(gs::fft2(device).copy_to_host()), naive_2d(widened(x), columns, -1)),
              allowed<TypeParam>(n));
    EXPECT_LE(error_of(widened(gs::ifft2(device).copy_to_host()), naive_2d(widened(x), columns, 1)),
              allowed<TypeParam>(n));
    const auto real = numbers<TypeParam>(n, 6);
    const auto spectrum = gs::rfft2(matrix(real, rows, columns));
    EXPECT_EQ(spectrum.shape(), gs::shape({rows, columns / 2 + 1}));
    EXPECT_LE(error_of(widened(spectrum.copy_to_host()), half(naive_2d(widened(real), columns, -1), columns)),
              allowed<TypeParam>(n));
    const auto spectrum_before = spectrum.copy_to_host();
    EXPECT_LE(error_of(widened(gs::irfft2(spectrum, columns).copy_to_host()), widened(real)),
              2 * allowed<TypeParam>(n));
    EXPECT_EQ(spectrum.copy_to_host(), spectrum_before) << "irfft2 changed its input";
  }
}

TYPED_TEST(fft_tests, an_image_comes_back) {
  using complex = std::complex<TypeParam>;
  constexpr std::size_t rows = 360, columns = 640, n = rows * columns;
  const auto real = numbers<TypeParam>(n, 7);
  EXPECT_LE(
      error_of(widened(gs::irfft2(gs::rfft2(matrix(real, rows, columns)), columns).copy_to_host()), widened(real)),
      2 * allowed<TypeParam>(n));
  const auto x = numbers<complex>(n, 8);
  const auto image = matrix(x, rows, columns);
  gs::fft2(image, gs::out(image.slice(0, rows)));
  gs::ifft2(image, gs::out(image.slice(0, rows)));
  EXPECT_LE(error_of(widened(image.copy_to_host()), widened(x)), 2 * allowed<TypeParam>(n)) << "in place";
}

TYPED_TEST(fft_tests, keeps_the_energy) {
  using complex = std::complex<TypeParam>;
  for (const std::size_t n : {std::size_t{10'007}, std::size_t{100'000}, std::size_t{1} << 18}) {
    const auto x = widened(numbers<complex>(n, 9));
    const auto y = widened(gs::fft(gs::to_device(numbers<complex>(n, 9))).copy_to_host());
    double time = 0, frequency = 0;
    for (std::size_t i = 0; i < n; ++i) time += std::norm(x[i]), frequency += std::norm(y[i]);
    EXPECT_NEAR(frequency / static_cast<double>(n) / time, 1, allowed<TypeParam>(n)) << n;
  }
}

TYPED_TEST(fft_tests, takes_slices_at_any_alignment) {
  using complex = std::complex<TypeParam>;
  const auto x = numbers<complex>(1000, 10);
  const auto device = gs::to_device(x);
  for (const std::size_t begin : {0, 1, 2, 3, 5}) {
    const std::vector<complex> part(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                    x.begin() + static_cast<std::ptrdiff_t>(begin) + 128);
    auto y = gs::device_array<complex>(200);
    gs::fft(device.slice(begin, begin + 128), gs::out(y.slice(7 - begin, 7 - begin + 128)));
    EXPECT_LE(error_of(widened(y.slice(7 - begin, 7 - begin + 128).copy_to_host()), naive_rows(widened(part), 128, -1)),
              allowed<TypeParam>(128));
  }
}

TYPED_TEST(fft_tests, runs_on_streams_side_by_side) {
  using complex = std::complex<TypeParam>;
  const auto x = matrix(numbers<complex>(120 * 128, 11), 120, 128);
  const auto expected = gs::fft2(x).copy_to_host();
  gs::stream first, second;
  std::vector<gs::device_array<complex>> results;
  for (int i = 0; i < 20; ++i) results.push_back(gs::fft2(x, {.stream = i % 2 ? first : second}));
  first.synchronize(), second.synchronize();
  for (const auto& result : results) EXPECT_EQ(result.copy_to_host(), expected);
}

TEST(fft_ledger, counts_a_launch) {
  gs::select_device(gs::device_kind::engine);
  const auto x = gs::to_device(numbers<std::complex<float>>(100, 1));
  gs::device_array<std::complex<float>> y(100), spectrum(6);
  gs::device_array<float> real(10);
  const gs::ledger_scope scope;
  gs::fft(x, gs::out(y));
  gs::ifft(x, gs::out(y));
  EXPECT_EQ(scope.account(), gs::ledger{.launches = 2});
  gs::rfft(real, gs::out(spectrum));
  gs::irfft(spectrum, gs::out(real));  // works on a copy of the spectrum
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 4, .allocations = 1, .allocated_bytes = 48}));
}

TEST(fft_errors, say_what_is_wrong) {
  gs::device_array<std::complex<float>> x(10), y(9), image({4, 5}), block({2, 3, 4}), none(0), narrow({3, 0});
  gs::device_array<float> real(10);
  EXPECT_TRUE(refused([&] { gs::fft(block); },
                      {"fft of an array of shape (2, 3, 4)", "its rank is 3", "rank 1, or of rank 2"}));
  EXPECT_TRUE(
      refused([&] { gs::ifft2(x); }, {"ifft2 of an array of shape (10,)", "its rank is 1", "give an array of rank 2"}));
  EXPECT_TRUE(refused([&] { gs::fft(none); }, {"fft of an array of shape (0,)", "no points", "1 point or more"}));
  EXPECT_TRUE(refused([&] { gs::fft(narrow); }, {"fft of an array of shape (3, 0)", "no points"}));
  EXPECT_TRUE(refused([&] { gs::fft2(gs::device_array<std::complex<float>>({0, 3})); }, {"fft2 of an", "no points"}));
  EXPECT_TRUE(refused([&] { gs::rfft(gs::device_array<double>(0)); }, {"rfft of an array of shape (0,)", "no points"}));
  EXPECT_TRUE(refused([&] { gs::irfft(x, 0); }, {"irfft of an array of shape (10,)", "no points"}));
  EXPECT_TRUE(refused(
      [&] { gs::irfft(x, 20); },
      {"irfft of an array of shape (10,)", "rows of 20 real numbers have a spectrum of 11", "ask for 18 or 19"}));
  EXPECT_TRUE(refused([&] { gs::irfft(x, gs::out(real)); }, {"rows of 10 real numbers have a spectrum of 6"}));
  EXPECT_TRUE(refused([&] { gs::irfft(x.slice(0, 1), 2); }, {"a spectrum of 2; ask for 1"}));
  EXPECT_TRUE(refused([&] { gs::irfft2(image, 7); }, {"irfft2 of", "a spectrum of 4", "ask for 8 or 9"}));
  EXPECT_TRUE(refused([&] { gs::fft(x, gs::out(y)); },
                      {"fft of an array of shape (10,)", "the result has shape (10,), the output (9,)"}));
  EXPECT_TRUE(refused([&] { gs::fft(x.slice(0, 5), gs::out(x.slice(4, 9))); },
                      {"shares a part of the input's memory", "transform in place"}));
  EXPECT_TRUE(refused([&] { gs::fft(gs::device_array<std::complex<float>>({std::size_t{0}, std::size_t{1} << 31})); },
                      {"an extent of 2147483648"}));
}

TEST(fft_errors, refuse_what_was_moved_from) {
  gs::device_array<std::complex<float>> x(10), y(10);
  const auto taken = std::move(x);
  EXPECT_TRUE(refused([&] { gs::fft(x); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::fft(y, gs::out(x)); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::irfft(x, 18); }, {"it was moved from"}));
}

}  // namespace fft_test
