// gemm against a plain float64 loop.

#include "runtime/libraries/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/libraries/openblas.h"
#include "tests/runtime/libraries/numbers.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::numbers;
using runtime_test::refused;

template <class T>
gs::device_array<T> matrix(const std::vector<T>& elements, std::size_t rows, std::size_t columns) {
  gs::device_array<T> matrix({rows, columns});
  matrix.copy_from_host(elements);
  return matrix;
}

template <class T>
struct product {
  std::size_t m, n, k;
  T alpha = 1, beta = 0;
  bool transpose_a = false, transpose_b = false;
};

// By how much gemm may differ from the float64 loop: one rounding per addition, on terms below 1.
template <class T>
double allowed(const product<T>& p) {
  return static_cast<double>(p.k + 2) * std::abs(static_cast<double>(p.alpha)) * std::numeric_limits<T>::epsilon() +
         2 * std::abs(static_cast<double>(p.beta)) * std::numeric_limits<T>::epsilon();
}

template <class T>
void expect_product(const product<T>& p, const std::vector<T>& a, const std::vector<T>& b,
                    const std::vector<T>& c_before, const std::vector<T>& c_after) {
  ASSERT_EQ(c_after.size(), p.m * p.n);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < p.k; ++l)
        sum += static_cast<double>(a[p.transpose_a ? l * p.m + i : i * p.k + l]) *
               static_cast<double>(b[p.transpose_b ? j * p.k + l : l * p.n + j]);
      double expected = static_cast<double>(p.alpha) * sum;
      if (p.beta != 0) expected += static_cast<double>(p.beta) * static_cast<double>(c_before[i * p.n + j]);
      if (!(std::abs(static_cast<double>(c_after[i * p.n + j]) - expected) <= allowed(p))) ++wrong;
    }
  EXPECT_EQ(wrong, 0u) << p.m << " x " << p.k << " x " << p.n << ", alpha " << p.alpha << ", beta " << p.beta
                       << (p.transpose_a ? ", A transposed" : "") << (p.transpose_b ? ", B transposed" : "");
}

template <class T>
void check(const product<T>& p) {
  const auto a = numbers<T>(p.m * p.k, 1), b = numbers<T>(p.k * p.n, 2), c = numbers<T>(p.m * p.n, 3);
  const auto a_device = p.transpose_a ? matrix(a, p.k, p.m) : matrix(a, p.m, p.k);
  const auto b_device = p.transpose_b ? matrix(b, p.n, p.k) : matrix(b, p.k, p.n);
  auto c_device = matrix(c, p.m, p.n);
  gs::gemm(
      a_device, b_device, gs::out(c_device),
      {.alpha = p.alpha, .beta = p.beta, .transpose_a = p.transpose_a, .transpose_b = p.transpose_b, .stream = {}});
  expect_product(p, a, b, c, c_device.copy_to_host());
}

template <class T>
class gemm_test : public testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(gemm_test, precisions);

TYPED_TEST(gemm_test, agrees_with_a_plain_loop_at_every_shape) {
  for (const auto& [m, n, k] : std::vector<std::tuple<std::size_t, std::size_t, std::size_t>>{{1, 1, 1},
                                                                                              {1, 33, 31},
                                                                                              {31, 1, 32},
                                                                                              {32, 32, 32},
                                                                                              {33, 31, 1},
                                                                                              {101, 103, 107},
                                                                                              {1009, 3, 5},
                                                                                              {3, 1009, 7},
                                                                                              {2, 2, 10007},
                                                                                              {257, 129, 65},
                                                                                              {0, 5, 3},
                                                                                              {5, 0, 3},
                                                                                              {0, 0, 0},
                                                                                              {5, 3, 0},
                                                                                              {300, 700, 64},
                                                                                              {1100, 130, 17}})
    check<TypeParam>({m, n, k});
}

TYPED_TEST(gemm_test, multiplies_a_row_by_a_column) {
  for (const std::size_t k : {0, 1, 31, 32, 33, 65'535, 65'536, 65'537, 200'003})
    for (const bool transposed : {false, true})
      for (const TypeParam beta : {TypeParam(0), TypeParam(0.5)})
        check<TypeParam>({1, 1, k, TypeParam(-2.5), beta, transposed, !transposed});
  const auto ones = matrix(std::vector<TypeParam>(200'003, 1), 1, 200'003);
  EXPECT_EQ(gs::gemm(ones, ones, {.transpose_b = true, .stream = {}}).copy_to_host().front(), 200'003);
  auto c = matrix(std::vector<TypeParam>{std::numeric_limits<TypeParam>::quiet_NaN()}, 1, 1);
  gs::gemm(ones, ones, gs::out(c), {.transpose_b = true, .stream = {}});
  EXPECT_EQ(c.copy_to_host().front(), 200'003) << "with a beta of 0 the output isn't read";
}

TYPED_TEST(gemm_test, transposes_either_operand) {
  for (const bool a : {false, true})
    for (const bool b : {false, true})
      for (const std::size_t size : {1, 31, 33, 211}) check<TypeParam>({size, size + 7, size + 3, 1, 0, a, b});
}

TYPED_TEST(gemm_test, scales_the_product_and_the_output) {
  for (const TypeParam alpha : {TypeParam(1), TypeParam(0), TypeParam(-2.5)})
    for (const TypeParam beta : {TypeParam(0), TypeParam(1), TypeParam(0.5)})
      for (const std::size_t k : {0, 1, 67}) check<TypeParam>({33, 47, k, alpha, beta});
}

TYPED_TEST(gemm_test, does_not_read_an_output_that_is_scaled_by_zero) {
  const std::vector<TypeParam> nan(6, std::numeric_limits<TypeParam>::quiet_NaN());
  for (const std::size_t k : {0, 4}) {
    auto c = matrix(nan, 2, 3);
    gs::gemm(matrix(std::vector<TypeParam>(2 * k, 1), 2, k), matrix(std::vector<TypeParam>(k * 3, 1), k, 3),
             gs::out(c));
    EXPECT_EQ(c.copy_to_host(), std::vector<TypeParam>(6, static_cast<TypeParam>(k)));
  }
}

TYPED_TEST(gemm_test, makes_its_output) {
  const auto a = numbers<TypeParam>(3 * 4, 1), b = numbers<TypeParam>(4 * 5, 2);
  const auto c = gs::gemm(matrix(a, 3, 4), matrix(b, 4, 5));
  EXPECT_EQ(gs::to_string(c.shape()), "(3, 5)");
  expect_product<TypeParam>({3, 5, 4}, a, b, {}, c.copy_to_host());
  const auto doubled = gs::gemm(matrix(a, 3, 4), matrix(b, 4, 5), {.alpha = 2});
  expect_product<TypeParam>({3, 5, 4, 2}, a, b, {}, doubled.copy_to_host());
}

TYPED_TEST(gemm_test, takes_slices_and_writes_to_one) {
  const auto a = numbers<TypeParam>(10 * 7, 1), b = numbers<TypeParam>(9 * 5, 2), c = numbers<TypeParam>(8 * 5, 3);
  const auto a_device = matrix(a, 10, 7), b_device = matrix(b, 9, 5);
  auto c_device = matrix(c, 8, 5);
  gs::gemm(a_device.slice(3, 6), b_device.slice(1, 8), gs::out(c_device.slice(4, 7)));
  const auto c_after = c_device.copy_to_host();
  const auto rows = [](const std::vector<TypeParam>& of, std::size_t width, std::size_t begin, std::size_t end) {
    return std::vector<TypeParam>(of.begin() + static_cast<std::ptrdiff_t>(begin * width),
                                  of.begin() + static_cast<std::ptrdiff_t>(end * width));
  };
  expect_product<TypeParam>({3, 5, 7}, rows(a, 7, 3, 6), rows(b, 5, 1, 8), {}, rows(c_after, 5, 4, 7));
  EXPECT_EQ(rows(c_after, 5, 0, 4), rows(c, 5, 0, 4));
  EXPECT_EQ(rows(c_after, 5, 7, 8), rows(c, 5, 7, 8));
}

TYPED_TEST(gemm_test, runs_on_streams_side_by_side) {
  const auto a = numbers<TypeParam>(200 * 200, 1), b = numbers<TypeParam>(200 * 200, 2);
  const auto a_device = matrix(a, 200, 200), b_device = matrix(b, 200, 200);
  gs::stream first, second;
  std::vector<gs::device_array<TypeParam>> results;
  for (int i = 0; i < 20; ++i) results.push_back(gs::gemm(a_device, b_device, {.stream = i % 2 ? first : second}));
  first.synchronize(), second.synchronize();
  const auto first_result = results[0].copy_to_host();
  expect_product<TypeParam>({200, 200, 200}, a, b, {}, first_result);
  for (const auto& result : results) EXPECT_EQ(result.copy_to_host(), first_result);
}

TYPED_TEST(gemm_test, outlives_its_operands) {
  gs::device_array<TypeParam> c;
  {
    const auto a = matrix(std::vector<TypeParam>(300 * 300, 1), 300, 300);
    c = gs::gemm(gs::gemm(a, a), a);
  }
  EXPECT_EQ(c.copy_to_host(), std::vector<TypeParam>(300 * 300, 90000));
}

TEST(gemm_ledger, counts_a_launch_and_an_output) {
  const auto a = matrix(std::vector<float>(6), 2, 3), b = matrix(std::vector<float>(6), 3, 2);
  gs::device_array<float> c({2, 2});
  const gs::ledger_scope scope;
  gs::gemm(a, b, gs::out(c));
  EXPECT_EQ(scope.account(), gs::ledger{.launches = 1});
  const auto made = gs::gemm(a, b);
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 2, .allocations = 1, .allocated_bytes = 16}));
}

#if defined(__x86_64__)
TEST(gemm_engine, uses_the_widest_vectors_of_this_processor) {
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "the kernels are chosen by OPENBLAS_CORETYPE";
  const std::string name = gs::detail::openblas().core_name();
  if (__builtin_cpu_supports("avx512vl")) {
    EXPECT_EQ(name, "SkylakeX");
  } else if (__builtin_cpu_supports("avx2")) {
    EXPECT_TRUE(name == "Haswell" || name == "Zen") << name;
  }
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "the environment was changed for good";
}
#endif

TEST(gemm_errors, say_what_is_wrong) {
  gs::device_array<float> a({3, 4}), b({5, 6}), c({4, 6}), flat(12);
  EXPECT_TRUE(refused([&] { gs::gemm(a, b); }, {"gemm of shapes (3, 4) and (5, 6)",
                                                "the first has 4 columns and the second 5 rows", ".transpose_a"}));
  EXPECT_TRUE(refused([&] { gs::gemm(a, b, {.transpose_a = true, .transpose_b = true}); },
                      {"(3, 4) transposed and (5, 6) transposed", "has 3 columns and the second 6 rows"}));
  EXPECT_TRUE(refused([&] { gs::gemm(flat, c); },
                      {"gemm of shapes (12,) and (4, 6)", "their ranks are 1 and 2", "x.reshape({1, -1})"}));
  EXPECT_TRUE(refused([&] { gs::gemm(a, c, gs::out(b)); },
                      {"the product has shape (3, 6), the output (5, 6)", "give an output of the product's shape"}));
  EXPECT_TRUE(
      refused([&] { gs::gemm(a, c, {.beta = 2}); }, {"gemm with .beta = 2", "no output was given", "gs::out(c)"}));
  gs::device_array<float> square({8, 4});
  const auto upper = square.slice(0, 4);
  EXPECT_TRUE(refused([&] { gs::gemm(upper, c.reshape({4, 6}).slice(0, 4), gs::out(c)); }, {"shares memory"}));
  EXPECT_TRUE(refused([&] { gs::gemm(upper, upper, gs::out(square.slice(3, 7))); },
                      {"the output shares memory with an operand", "an output of its own"}));
  const gs::device_array<float> tall({std::size_t{1} << 32, std::size_t{0}}), none({0, 0});
  EXPECT_TRUE(refused([&] { gs::gemm(tall, none); }, {"an extent of 4294967296", "at most 2147483647"}));
}

TEST(gemm_errors, refuse_what_was_moved_from) {
  gs::device_array<float> a({2, 2}), b({2, 2}), c({2, 2});
  const auto taken = std::move(a);
  EXPECT_TRUE(refused([&] { gs::gemm(a, b); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::gemm(b, a); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::gemm(b, taken, gs::out(a)); }, {"it was moved from"}));
  gs::stream s;
  const gs::stream stolen = std::move(s);
  EXPECT_TRUE(refused([&] { gs::gemm(b, taken, gs::out(c), {.stream = s}); }, {"a stream", "it was moved from"}));
}

}  // namespace
