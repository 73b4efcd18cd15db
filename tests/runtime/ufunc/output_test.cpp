// Where results go: the kind of container that went in, outputs that are given, in place, overlapping, and large ones
// that are written past the caches.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

using runtime_test::all_targets;
using runtime_test::refused;

GS_FN float subtract(float a, float b) { return a - 2.0f * b; }
GS_FN std::uint8_t is_less(float a, float b) { return a < b; }
GS_FN double half(std::int16_t a) { return 0.5 * a; }
GS_FN std::int16_t narrow(std::int16_t a, std::int16_t b) { return static_cast<std::int16_t>(a + 3 * b); }
constexpr auto op = gs::vectorize<subtract>;

std::vector<float> counting(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

template <class Expected, class Result>
void expect_kind(const Result&) {
  static_assert(std::is_same_v<Expected, Result>);
}

TEST(ufunc_result, is_the_kind_of_container_that_went_in) {
  const std::vector<float> v{1, 2, 3};
  const std::array<float, 3> a{1, 2, 3};
  const float c[] = {1, 2, 3};
  const xt::xarray<float> of_any_rank{{1, 2, 3}, {4, 5, 6}};
  const xt::xtensor<float, 2> ranked{{1, 2, 3}, {4, 5, 6}};
  const xt::xtensor<float, 1> row{1, 2, 3};
  const std::vector<float> expected{-1, 0, 1};
  for (gs::target target : all_targets) {
    const auto f = op.on(target);
    EXPECT_EQ(f(v, 1.0f), expected);
    EXPECT_EQ(f(a, 1.0f), expected);
    EXPECT_EQ(f(c, 1.0f), expected);
    EXPECT_EQ(f(std::span(v), 1.0f), expected);
    EXPECT_EQ(f(std::span<const float, 3>(v), a), (std::vector<float>{-1, -2, -3}));
    expect_kind<xt::xarray<float>>(f(of_any_rank, 1.0f));
    expect_kind<xt::xtensor<float, 2>>(f(ranked, 1.0f));
    expect_kind<xt::xtensor<float, 2>>(f(row, ranked));
    expect_kind<xt::xtensor<float, 2>>(f(v, ranked));
    expect_kind<xt::xarray<float>>(f(of_any_rank, ranked));
    expect_kind<xt::xtensor<std::uint8_t, 2>>(gs::vectorize<is_less>.on(target)(ranked, row));
    EXPECT_EQ(f(ranked, row), (xt::xtensor<float, 2>{{-1, -2, -3}, {2, 1, 0}}));
    EXPECT_EQ(f(v, ranked), (xt::xtensor<float, 2>{{-1, -2, -3}, {-7, -8, -9}}));
    EXPECT_EQ(f(of_any_rank, of_any_rank), (xt::xarray<float>{{-1, -2, -3}, {-4, -5, -6}}));
  }
  expect_kind<gs::device_array<float>>(op(gs::to_device(v), ranked));
  expect_kind<std::vector<double>>(gs::vectorize<half>(std::vector<std::int16_t>{1}));
}

TEST(ufunc_result, of_rank_zero_and_of_nothing) {
  const xt::xtensor<float, 0> scalar(4.0f);
  for (gs::target target : all_targets) {
    const xt::xtensor<float, 0> result = op.on(target)(scalar, 1.0f);
    EXPECT_EQ(result(), 2.0f);
    EXPECT_EQ(op.on(target)(xt::xarray<float>(4.0f), scalar)(), -4.0f);
    const xt::xtensor<float, 2> empty = op.on(target)(xt::xtensor<float, 2>::from_shape({0, 3}), 1.0f);
    EXPECT_EQ(empty.shape()[1], 3u);
    EXPECT_TRUE(op.on(target)(std::vector<float>{}, std::vector<float>{1}).empty());
  }
  const auto on_device = op(gs::to_device(4.0f), 1.0f);
  EXPECT_EQ(on_device.shape(), gs::shape());
  EXPECT_EQ(on_device.copy_to_host(), std::vector<float>{2});
}

TEST(ufunc_out, takes_every_container) {
  const auto x = counting(6);
  const std::vector<float> expected{-2, -1, 0, 1, 2, 3};
  for (gs::target target : all_targets) {
    const auto f = op.on(target);
    std::vector<float> v(6), w(6);
    std::array<float, 6> a{};
    float c[6] = {};
    auto row = xt::xtensor<float, 1>::from_shape({6});
    f(x, 1.0f, gs::out(v));
    f(x, 1.0f, gs::out(a));
    f(x, 1.0f, gs::out(c));
    f(x, 1.0f, gs::out(std::span(w)));
    f(x, 1.0f, gs::out(row));
    EXPECT_EQ(v, expected);
    EXPECT_EQ(w, expected);
    EXPECT_EQ(std::vector<float>(a.begin(), a.end()), expected);
    EXPECT_EQ(std::vector<float>(c, c + 6), expected);
    EXPECT_EQ(std::vector<float>(row.begin(), row.end()), expected);
    f(1.0f, 2.0f, gs::out(v));
    EXPECT_EQ(v, std::vector<float>(6, -3.0f)) << "values fill an output";
  }
  gs::device_array<float> on_device(6);
  op(x, 1.0f, gs::out(on_device));
  EXPECT_EQ(on_device.copy_to_host(), expected);
}

TEST(ufunc_out, of_another_shape_is_refused) {
  const xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  xt::xtensor<float, 2> turned({3, 2});
  std::vector<float> flat(6);
  gs::device_array<float> on_device({2, 2});
  EXPECT_TRUE(refused([&] { op(x, 1.0f, gs::out(turned)); }, {"an output of shape (3, 2)", "(2, 3)"}));
  EXPECT_TRUE(refused([&] { op(x, 1.0f, gs::out(flat)); }, {"an output of shape (6,)", "(2, 3)"}));
  EXPECT_TRUE(
      refused([&] { op(x, 1.0f, gs::out(on_device)); }, {"an output of shape (2, 2)", "gs::device_array_like"}));
}

TEST(ufunc_out, may_be_an_input_in_place) {
  for (std::size_t n : {1ul, 33ul, 100'000ul})
    for (gs::target target : all_targets) {
      auto x = counting(n), y = counting(n);
      op.on(target)(x, 1.0f, gs::out(x));
      op.on(target)(1.0f, y, gs::out(y));
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(x[i], static_cast<float>(i) - 2);
        ASSERT_EQ(y[i], 1 - 2 * static_cast<float>(i));
      }
      op.on(target)(x, x, gs::out(x));
      ASSERT_EQ(x[n - 1], -(static_cast<float>(n - 1) - 2));
    }
}

// An output that overlaps an input in another place gives what separate arrays would.
TEST(ufunc_out, may_overlap_an_input) {
  for (std::size_t n : {10ul, 1000ul, 100'000ul})
    for (std::size_t shift : {1ul, 3ul, 8ul})
      for (bool forward : {false, true}) {
        const auto numbers = counting(n);
        const std::size_t from = forward ? 0 : shift, to = forward ? shift : 0, count = n - shift;
        auto expected = numbers;
        for (std::size_t i = 0; i < count; ++i) expected[to + i] = numbers[from + i] - 2 * numbers[to + i];
        for (gs::target target : all_targets) {
          auto host = numbers;
          const std::span<float> in(host.data() + from, count), out(host.data() + to, count);
          op.on(target)(in, out, gs::out(out));
          ASSERT_EQ(host, expected) << n << " " << shift << " " << to_string(target);
        }
        const auto on_device = gs::to_device(numbers);
        auto out = on_device.slice(to, to + count);
        op(on_device.slice(from, from + count), out, gs::out(out));
        ASSERT_EQ(on_device.copy_to_host(), expected) << n << " " << shift;
      }
}

TEST(ufunc_out, may_overlap_an_input_that_is_repeated) {
  for (gs::target target : all_targets) {
    xt::xtensor<float, 2> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const auto row = std::span<const float>(m.data() + 3, 3);  // the middle row, which the output overwrites
    op.on(target)(m, row, gs::out(m));
    EXPECT_EQ(m, (xt::xtensor<float, 2>{{-7, -8, -9}, {-4, -5, -6}, {-1, -2, -3}})) << to_string(target);
  }
  auto on_device = gs::to_device(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}).reshape({3, 3});
  op(on_device, on_device[1], gs::out(on_device));
  EXPECT_EQ(on_device.copy_to_host(), (std::vector<float>{-7, -8, -9, -4, -5, -6, -1, -2, -3}));
}

// Results that don't fit the caches are written with streaming stores; odd sizes and starts are where they go wrong.
// The test's own loops go by pointers: not every build optimises them.
TEST(ufunc_out, large_results_of_odd_size_and_start) {
  const std::size_t n = gs::detail::streaming_threshold() / sizeof(std::int16_t) + 12'347;
  std::vector<std::int16_t> a(n + 40), expected(n), out(n + 80);
  std::int16_t *inputs = a.data(), *results = expected.data();
  for (std::size_t i = 0; i < n + 40; ++i) inputs[i] = static_cast<std::int16_t>(i * 7 % 4001);
  for (std::size_t start : {0ul, 1ul, 5ul, 31ul}) {
    for (std::size_t i = 0; i < n; ++i) results[i] = static_cast<std::int16_t>(inputs[i] + 3 * inputs[i + start]);
    const auto written_part = std::span(out).subspan(start + 1, n);
    const std::size_t bytes = written_part.size_bytes();
    for (gs::target target : all_targets) {
      std::memset(out.data(), 0xff, out.size() * sizeof(std::int16_t));
      gs::vectorize<narrow>.on(target)(std::span(a).first(n), std::span(a).subspan(start, n), gs::out(written_part));
      ASSERT_EQ(std::memcmp(results, written_part.data(), bytes), 0) << start << " " << gs::to_string(target);
      for (std::size_t i = 0; i <= start; ++i) ASSERT_EQ(out[i], -1) << "written before the output: " << i;
      for (std::size_t i = start + 1 + n; i < out.size(); ++i) ASSERT_EQ(out[i], -1) << "written behind it: " << i;
    }
  }
  auto x = a;
  gs::vectorize<narrow>.on(gs::target::parallel)(x, x, gs::out(x));
  for (std::size_t i = 0; i < n + 40; ++i) inputs[i] = static_cast<std::int16_t>(4 * inputs[i]);
  EXPECT_EQ(std::memcmp(inputs, x.data(), x.size() * sizeof(std::int16_t)), 0);
}

TEST(ufunc_out, large_results_of_repeated_rows) {
  const std::size_t columns = 70'001, rows = gs::detail::streaming_threshold() / sizeof(float) / columns + 2;
  const xt::xtensor<float, 2> column =
      xt::reshape_view(xt::arange<float>(static_cast<float>(rows)), {rows, std::size_t{1}});
  const auto row = counting(columns);
  std::vector<float> expected(columns);
  float* numbers = expected.data();
  for (gs::target target : all_targets) {
    const xt::xtensor<float, 2> result = op.on(target)(column, row);
    for (std::size_t i = 0; i < rows; i += 3) {
      for (std::size_t j = 0; j < columns; ++j) numbers[j] = static_cast<float>(i) - 2 * static_cast<float>(j);
      ASSERT_EQ(std::memcmp(numbers, result.data() + i * columns, columns * sizeof(float)), 0) << "row " << i;
    }
  }
}

}  // namespace
