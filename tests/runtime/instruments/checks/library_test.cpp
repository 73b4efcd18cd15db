// What ufuncs, library calls and random numbers write counts as written, what they read as read.

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

float plus(float a, float b) { return a + b; }
void row_sum(gs::view<const float> x, float& y) {
  y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) y += x[i];
}
void twice(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(x.size())) y[i] = 2 * x[i];
}

constexpr std::size_t large = (std::size_t{5} << 20) / sizeof(float);  // beyond what is written past the caches

TEST(verdict_library, ufuncs) {
  for (const std::size_t n : {std::size_t{33}, std::size_t{1009}}) {
    const auto x = filled(n, 1.0f);
    EXPECT_TRUE(clean([&] { gs::vectorize<plus>(x, 2.0f).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::vectorize<plus>(x, x, gs::out(x)); })) << n;
    EXPECT_TRUE(clean([&] { gs::vectorize<plus>.reduce(x).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::vectorize<plus>.accumulate(x).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::vectorize<plus>.outer(x.slice(0, 3), x).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::reduce<plus>(x, 0.0f).copy_to_host(); })) << n;
  }
}
TEST(verdict_library, large_ufuncs) {
  const auto x = filled(large, 1.0f);
  EXPECT_TRUE(clean([&] { gs::vectorize<plus>(x, 2.0f).copy_to_host(); }));
  EXPECT_TRUE(clean([&] { gs::vectorize<plus>.reduce(x).copy_to_host(); }));
}
TEST(verdict_library, ufunc_of_a_host_array) {
  const std::vector<float> x(1000, 1.0f);
  EXPECT_TRUE(clean([&] { gs::vectorize<plus>.on(gs::target::device)(x, x); }));
  EXPECT_TRUE(clean([&] { gs::vectorize<plus>.on(gs::target::parallel)(x, x); }));
}
TEST(verdict_library, ufunc_of_what_nothing_wrote) {
  const auto result = gs::inspect(
      [&] {
        gs::device_array<float> x(8);
        gs::vectorize<plus>(x, 1.0f);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, uninitialized_read);
  EXPECT_EQ(result.findings[0].array, "x");
}
TEST(verdict_library, generalised_ufuncs) {
  const auto x = filled(60, 1.0f).reshape({12, 5});
  EXPECT_TRUE(clean([&] { gs::guvectorize<row_sum, "(n)->()">(x).copy_to_host(); }));
}

TEST(verdict_library, gemm) {
  const auto a = filled(12, 1.0f).reshape({3, 4}), b = filled(20, 1.0f).reshape({4, 5});
  EXPECT_TRUE(clean([&] { gs::gemm(a, b).copy_to_host(); }));
  const auto code = [&] {
    gs::device_array<float> empty({4, 5});
    gs::gemm(a, empty).copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "an unknown place", "", "empty", 20}}));
}
TEST(verdict_library, gemm_that_adds_to_what_nothing_wrote) {
  const auto a = filled(16, 1.0f).reshape({4, 4});
  EXPECT_TRUE(clean([&] {
    gs::device_array<float> c({4, 4});
    gs::gemm(a, a, gs::out(c));
    gs::gemm(a, a, gs::out(c), {.beta = 1});
  }));
  const auto code = [&] {
    gs::device_array<float> c({4, 4});
    gs::gemm(a, a, gs::out(c), {.beta = 1});
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "an unknown place", "", "c", 0}}));
}
TEST(verdict_library, sparse_product) {
  const gs::csr_matrix<float> a({2, 3}, std::vector{0, 1, 2}, std::vector{0, 2}, std::vector{1.0f, 2.0f});
  const auto x = filled(3, 1.0f);
  EXPECT_TRUE(clean([&] { gs::spmv(a, x).copy_to_host(); }));
  const auto code = [&] {
    gs::device_array<float> y(2);
    gs::spmv(a, x, gs::out(y), {.beta = 1});
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "an unknown place", "", "y", 0}}));
}
TEST(verdict_library, sparse_product_that_reads_only_the_columns_it_has) {
  const gs::csr_matrix<float> a({2, 3}, std::vector{0, 1, 2}, std::vector{0, 2}, std::vector{1.0f, 2.0f});
  const auto code = [&] {
    gs::device_array<float> half_written(3);
    gs::launch<twice>({.grid = 1, .block = 32}, filled(2, 1.0f), half_written.slice(0, 2));
    gs::spmv(a, half_written).copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "an unknown place", "", "half_written", 1}}));
}
TEST(verdict_library, fourier_transforms) {
  const auto x = filled(32, 1.0f);
  const auto z = filled(32, std::complex<double>{1, 0});
  EXPECT_TRUE(clean([&] { gs::ifft(gs::fft(z)).copy_to_host(); }));
  EXPECT_TRUE(clean([&] { gs::irfft(gs::rfft(x), 32).copy_to_host(); }));
  EXPECT_TRUE(clean([&] { gs::fft2(z.reshape({4, 8})).copy_to_host(); }));
}
TEST(verdict_library, sort) {
  const auto keys = gs::to_device(std::vector<int>{3, 1, 2, 900, -5});
  const auto values = filled(5, 1.0);
  EXPECT_TRUE(clean([&] { gs::sort(keys).copy_to_host(); }));
  EXPECT_TRUE(clean([&] {
    const auto [k, v] = gs::sort_by_key(keys, values);
    k.copy_to_host();
    v.copy_to_host();
  }));
}

TEST(verdict_library, scan_and_select) {
  const auto x = gs::to_device(std::vector<int>{3, 1, 2, 900, -5});
  const auto flags = gs::to_device(std::vector<std::uint8_t>{1, 0, 1, 0, 1});
  EXPECT_TRUE(clean([&] { gs::inclusive_sum(gs::exclusive_sum(x)).copy_to_host(); }));
  EXPECT_TRUE(clean([&] { gs::select_flagged(x, flags).copy_to_host(); }));
}
TEST(verdict_library, scan_of_what_nobody_wrote) {
  const auto code = [] {
    gs::device_array<int> unwritten(100);
    gs::inclusive_sum(unwritten).copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "an unknown place", "", "unwritten", 0}}));
}

TEST(verdict_library, random_numbers) {
  for (const std::size_t n : {std::size_t{33}, std::size_t{40'000}}) {
    EXPECT_TRUE(clean([&] { gs::uniform<float>(n, 1).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::normal<double>(n, 1).copy_to_host(); })) << n;
    EXPECT_TRUE(clean([&] { gs::integers<int>(n, 0, 9, 1).copy_to_host(); })) << n;
  }
  EXPECT_TRUE(clean([&] { gs::uniform<float>(large, 1).copy_to_host(); }));
  EXPECT_TRUE(clean([&] { gs::random_states(100, 1).copy_to_host(); }));
}

TEST(verdict_library, library_calls_and_kernels_on_two_streams) {
  gs::stream first, second;
  const auto a = filled(64, 1.0f).reshape({8, 8});
  auto c = filled(64, 0.0f).reshape({8, 8});
  const auto y = filled(64, 0.0f);
  const auto multiply = [&] { gs::gemm(a, a, gs::out(c), {.stream = first}); };
  EXPECT_TRUE(clean([&] {
    multiply();
    gs::launch<twice>({.block = 64, .stream = first}, c.reshape({-1}), y);
  }));
  const auto code = [&] {
    multiply();
    gs::launch<twice>({.block = 64, .stream = second}, c.reshape({-1}), y);
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "y[i] = 2 * x[i]", "an unknown place", "c[0]", 64}}));
}

}  // namespace
