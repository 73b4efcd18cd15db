// Strided inputs: rows, columns, steps, transposed, flipped, column-major, repeated, against plain float64 loops over
// what xtensor's own indices read; on every target, in every kind of call.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

using runtime_test::all_targets;
using runtime_test::refused;
using columns_first = xt::xarray<float, xt::layout_type::column_major>;

GS_FN float twice_minus(float a, float b) { return 2 * a - b; }
GS_FN float plus_of_steps(float a, float b) { return a + b; }
GS_FN void product_of_steps(gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < b.extent(0); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}
GS_FN void first_and_last(gs::view<const float> x, float& first, float& last) {
  first = x[0];
  last = x[x.size() - 1];
}

constexpr auto combined = gs::vectorize<twice_minus>;
constexpr auto added = gs::vectorize<plus_of_steps>;
constexpr auto multiplied = gs::guvectorize<product_of_steps, "(m,n),(n,p)->(m,p)">;
constexpr auto ends = gs::guvectorize<first_and_last, "(n)->(),()">;

// Small whole numbers, so that sums and products are exact; no two neighbours in any direction are alike.
float number(std::size_t k) { return static_cast<float>(k * 7919 % 8191 % 61) - 30; }
xt::xarray<float> numbers(const std::vector<std::size_t>& extents) {
  auto a = xt::xarray<float>::from_shape(extents);
  for (std::size_t k = 0; k < a.size(); ++k) a.data()[k] = number(k);
  return a;
}

// A matrix somewhere in an array, and what its element (i, j) is.
struct matrix {
  const char* kind;
  std::size_t m, n;
  std::ptrdiff_t row, column, first;

  double operator()(std::size_t i, std::size_t j) const {
    const auto at = first + static_cast<std::ptrdiff_t>(i) * row + static_cast<std::ptrdiff_t>(j) * column;
    return number(static_cast<std::size_t>(at));
  }
  auto in(const xt::xarray<float>& whole) const {
    return xt::strided_view(whole, std::vector{m, n}, std::vector<std::ptrdiff_t>{row, column},
                            static_cast<std::size_t>(first), xt::layout_type::dynamic);
  }
  std::size_t reach() const { return 3 * (m + 1) * (n + 1); }
};

std::vector<matrix> matrices(std::size_t rows, std::size_t columns) {
  const auto m = static_cast<std::ptrdiff_t>(rows), n = static_cast<std::ptrdiff_t>(columns);
  const std::ptrdiff_t last_row = std::max<std::ptrdiff_t>(m - 1, 0), last = std::max<std::ptrdiff_t>(n - 1, 0);
  std::vector<matrix> matrices{{"row by row", 0, 0, n, 1, 0},
                               {"columns of wider rows", 0, 0, n + 3, 1, 2},
                               {"every second column", 0, 0, 2 * n, 2, 0},
                               {"every third column from the second", 0, 0, 3 * n + 1, 3, 1},
                               {"every second row", 0, 0, 2 * n, 1, 0},
                               {"transposed", 0, 0, 1, m, 0},
                               {"every second row of a transposed one", 0, 0, 2, 2 * m, 1},
                               {"rows reversed", 0, 0, -n, 1, last_row * n},
                               {"columns reversed", 0, 0, n, -1, last},
                               {"all reversed", 0, 0, -n, -1, last_row * n + last},
                               {"transposed and reversed", 0, 0, -1, m, last_row},
                               {"one row again and again", 0, 0, 0, 1, 5},
                               {"one column again and again", 0, 0, 1, 0, 5},
                               {"one element again and again", 0, 0, 0, 0, 5},
                               {"rows that overlap", 0, 0, 1, 1, 0}};
  for (matrix& view : matrices) view.m = rows, view.n = columns;
  return matrices;
}

const std::vector<std::array<std::size_t, 2>> shapes{{0, 3},   {3, 0},   {1, 1},     {1, 31},   {31, 1},  {2, 3},
                                                     {33, 31}, {37, 32}, {127, 131}, {2, 5003}, {5003, 3}};

TEST(strided, a_ufunc_agrees_with_a_plain_loop) {
  for (const auto& [m, n] : shapes)
    for (const matrix& of : matrices(m, n)) {
      const auto whole = numbers({of.reach()});
      const auto x = of.in(whole);
      const auto row = numbers({n}), column = numbers({m, 1});
      xt::xarray<float> first = xt::zeros<float>({m, n}), second = first, both = first;
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          first(i, j) = static_cast<float>(2 * of(i, j) - double{row(j)});
          second(i, j) = static_cast<float>(2 * double{column(i, 0)} - of(i, j));
          both(i, j) = static_cast<float>(of(i, j));
        }
      for (gs::target target : all_targets) {
        const auto f = combined.on(target);
        ASSERT_EQ(f(x, row), first) << of.kind << " " << m << " x " << n << " " << gs::to_string(target);
        ASSERT_EQ(f(column, x), second) << of.kind << " " << m << " x " << n << " " << gs::to_string(target);
        ASSERT_EQ(f(x, x), both) << of.kind << " " << m << " x " << n << " " << gs::to_string(target);
        xt::xarray<float> out = xt::zeros<float>({m, n});
        f(x, row, gs::out(out));
        ASSERT_EQ(out, first) << of.kind << " " << m << " x " << n << " " << gs::to_string(target);
      }
    }
}

TEST(strided, whatever_xtensor_has_strides_for) {
  using namespace xt::placeholders;
  const xt::xtensor<float, 2> x{{1, 2, 3, 4}, {5, 6, 7, 8}};
  const columns_first columns = x;
  const auto add_to_itself = [](gs::target target, const auto& view) {
    return xt::xarray<float>(added.on(target)(view, view));
  };
  for (gs::target target : all_targets) {
    EXPECT_EQ(add_to_itself(target, xt::view(x, xt::all(), xt::range(0, _, 2))), (xt::xarray<float>{{2, 6}, {10, 14}}));
    EXPECT_EQ(add_to_itself(target, xt::view(x, xt::all(), 1)), (xt::xarray<float>{4, 12}));
    EXPECT_EQ(add_to_itself(target, xt::transpose(x)), (xt::xarray<float>{{2, 10}, {4, 12}, {6, 14}, {8, 16}}));
    EXPECT_EQ(add_to_itself(target, columns), (xt::xarray<float>{{2, 4, 6, 8}, {10, 12, 14, 16}}));
    EXPECT_EQ(add_to_itself(target, xt::flip(xt::flip(x, 0), 1)), (xt::xarray<float>{{16, 14, 12, 10}, {8, 6, 4, 2}}));
  }
}

TEST(strided, repeated_along_outer_dimensions) {
  const auto deep = numbers({7, 5, 3, 4});
  const auto x = xt::transpose(deep, {3, 0, 2, 1});                                                    // (4, 7, 3, 5)
  const auto y = xt::view(deep, 2, xt::all(), 1, xt::all());                                           // (5, 4)
  const auto column = xt::view(xt::transpose(y), xt::all(), xt::newaxis(), xt::newaxis(), xt::all());  // (4, 1, 1, 5)
  xt::xarray<float> expected = xt::zeros<float>({4, 7, 3, 5});
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 7; ++b)
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 5; ++d)
          expected(a, b, c, d) = static_cast<float>(2 * double{deep(b, d, c, a)} - double{deep(2, d, 1, a)});
  for (gs::target target : all_targets) EXPECT_EQ(combined.on(target)(x, column), expected) << gs::to_string(target);
  EXPECT_EQ(combined(gs::to_device(x), column).copy_to_host<xt::xarray<float>>(), expected);
}

TEST(strided, a_line_of_many_steps) {
  const auto line = numbers({3'000'001});
  const auto x = xt::view(line, xt::range(1, 3'000'001, 3));
  std::vector<float> expected(1'000'000);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<float>(2 * double{number(3 * i + 1)} - 1);
  for (gs::target target : all_targets)
    ASSERT_TRUE(xt::all(xt::equal(combined.on(target)(x, 1.0f), xt::adapt(expected)))) << gs::to_string(target);
}

TEST(strided, reduce_accumulate_and_outer) {
  for (const auto& [m, n] : {std::array{1ul, 1ul}, {31ul, 33ul}, {127ul, 131ul}, {2ul, 5003ul}, {5003ul, 3ul}})
    for (const matrix& of : matrices(m, n)) {
      const auto whole = numbers({of.reach()});
      const auto x = of.in(whole);
      double total = 0;
      xt::xarray<float> along_0 = xt::zeros<float>({n}), along_1 = xt::zeros<float>({m}),
                        running = xt::zeros<float>({m, n}), pairs = xt::zeros<float>({m, n, std::size_t{2}});
      const std::vector<float> two{1, 5};
      std::vector<double> sums(n);
      for (std::size_t i = 0; i < m; ++i) {
        double of_row = 0;
        for (std::size_t j = 0; j < n; ++j) {
          total += of(i, j);
          of_row += of(i, j);
          sums[j] += of(i, j);
          running(i, j) = static_cast<float>(sums[j]);
          for (std::size_t k = 0; k < 2; ++k) pairs(i, j, k) = static_cast<float>(2 * of(i, j) - double{two[k]});
        }
        along_1(i) = static_cast<float>(of_row);
      }
      for (std::size_t j = 0; j < n; ++j) along_0(j) = static_cast<float>(sums[j]);
      for (gs::target target : all_targets) {
        const auto sum = added.on(target);
        ASSERT_EQ(sum.reduce(x), static_cast<float>(total)) << of.kind << " " << gs::to_string(target);
        ASSERT_EQ(sum.reduce(x, gs::axis(0)), along_0) << of.kind << " " << gs::to_string(target);
        ASSERT_EQ(sum.reduce(x, gs::axis(1)), along_1) << of.kind << " " << gs::to_string(target);
        ASSERT_EQ(sum.accumulate(x), running) << of.kind << " " << gs::to_string(target);
        ASSERT_EQ(combined.on(target).outer(x, two), pairs) << of.kind << " " << gs::to_string(target);
      }
      ASSERT_EQ(gs::reduce<plus_of_steps>(x, 100.0f), static_cast<float>(total + 100)) << of.kind;
    }
}

TEST(strided, a_gufunc_agrees_with_a_plain_loop) {
  for (const auto& [m, n] : {std::array{1ul, 1ul}, {2ul, 3ul}, {31ul, 33ul}, {37ul, 7ul}})
    for (const matrix& of : matrices(m, n)) {
      const auto whole = numbers({of.reach()});
      const auto x = of.in(whole);
      const std::size_t loops = 3, p = 5;
      const auto factors = numbers({p, loops, n});
      const auto b = xt::transpose(factors, {1, 2, 0});  // (loops, n, p)
      xt::xarray<float> product = xt::zeros<float>({loops, m, p}), first = xt::zeros<float>({m}), last = first;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t l = 0; l < loops; ++l)
          for (std::size_t k = 0; k < p; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += of(i, j) * double{factors(k, l, j)};
            product(l, i, k) = static_cast<float>(sum);
          }
        first(i) = static_cast<float>(of(i, 0));
        last(i) = static_cast<float>(of(i, n - 1));
      }
      for (gs::target target : all_targets) {
        ASSERT_EQ(multiplied.on(target)(x, b), product) << of.kind << " " << gs::to_string(target);
        const auto [f, l] = ends.on(target)(x);
        ASSERT_EQ(f, first) << of.kind << " " << gs::to_string(target);
        ASSERT_EQ(l, last) << of.kind << " " << gs::to_string(target);
      }
      ASSERT_EQ(multiplied(x, gs::to_device(b)).copy_to_host<xt::xarray<float>>(), product) << of.kind;
    }
}

TEST(strided, the_output_may_be_what_is_looked_at) {
  for (std::size_t n : {1ul, 31ul, 33ul, 257ul}) {
    const auto original = numbers({n, n});
    xt::xarray<float> mixed = xt::zeros<float>({n, n}), square = mixed, mirrored = mixed;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        mixed(i, j) = static_cast<float>(2 * double{original(j, i)} - double{original(i, j)});
        mirrored(i, j) = static_cast<float>(2 * double{original(i, n - 1 - j)} - double{original(n - 1 - i, j)});
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += double{original(k, i)} * double{original(k, j)};
        square(i, j) = static_cast<float>(sum);
      }
    for (gs::target target : all_targets) {
      auto x = original;
      combined.on(target)(xt::transpose(x), x, gs::out(x));
      ASSERT_EQ(x, mixed) << n << " " << gs::to_string(target);
      x = original;
      combined.on(target)(xt::flip(x, 1), xt::flip(x, 0), gs::out(x));
      ASSERT_EQ(x, mirrored) << n << " " << gs::to_string(target);
      x = original;
      multiplied.on(target)(xt::transpose(x), x, gs::out(x));
      ASSERT_EQ(x, square) << n << " " << gs::to_string(target);
    }
  }
}

TEST(strided, an_output_lies_row_by_row) {
  const auto x = numbers({4, 4});
  xt::xarray<float> wide = xt::zeros<float>({4, 8});
  auto steps = xt::view(wide, xt::all(), xt::range(0, 8, 2));
  columns_first columns = xt::zeros<float>({4, 4});
  for (gs::target target : all_targets) {
    gs::ledger_scope scope;
    EXPECT_TRUE(refused([&] { combined.on(target)(xt::transpose(x), x, gs::out(steps)); },
                        {"a host array to write to", "not row-major and contiguous (stride 2 in dimension 1"}));
    EXPECT_TRUE(
        refused([&] { multiplied.on(target)(x, x, gs::out(columns)); }, {"stride 4 in dimension 1, expected 1"}));
    EXPECT_EQ(scope.account(), gs::ledger{}) << "refused before anything is copied";
  }
  EXPECT_EQ(wide, xt::zeros<float>({4, 8}));
}

TEST(strided, is_packed_on_the_host_and_copied_once) {
  const auto wide = numbers({100, 20});
  const auto x = xt::view(wide, xt::all(), xt::range(0, 20, 2));
  gs::ledger_scope on_host;
  combined.on(gs::target::cpu)(x, 1.0f);
  combined.on(gs::target::parallel)(x, 1.0f);
  EXPECT_EQ(on_host.account(), gs::ledger{});
  gs::ledger_scope on_device;
  combined.on(gs::target::device)(x, 1.0f);
  EXPECT_EQ(on_device.account(), (gs::ledger{.copies_to_device = 1,
                                             .bytes_to_device = 4000,
                                             .copies_to_host = 1,
                                             .bytes_to_host = 4000,
                                             .launches = 1,
                                             .allocations = 2,
                                             .allocated_bytes = 8000}));
  gs::ledger_scope beside_a_device_array;
  const auto x_device = gs::to_device(numbers({10}));
  combined(x_device, x);
  EXPECT_EQ(beside_a_device_array.account().copies_to_device, 2u);
  EXPECT_EQ(beside_a_device_array.account().bytes_to_device, 4040u);
}

}  // namespace
