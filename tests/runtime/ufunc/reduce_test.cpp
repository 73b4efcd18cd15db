// reduce, accumulate and outer: order, axes, starting values, sizes around their chunks, errors; the same bits on every
// target.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

using runtime_test::all_targets;
using runtime_test::refused;

GS_FN float add(float a, float b) { return a + b; }
GS_FN std::int64_t plus_i64(std::int64_t a, std::int64_t b) { return a + b; }
GS_FN std::uint8_t add_u8(std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a + b); }
GS_FN std::int32_t largest(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
// x -> a * x + b modulo 2^32, a in the upper half: composing such maps is associative and not commutative.
GS_FN std::uint64_t compose(std::uint64_t f, std::uint64_t g) {
  const std::uint64_t fa = f >> 32, fb = f & 0xffffffff, ga = g >> 32, gb = g & 0xffffffff;
  return (fa * ga & 0xffffffff) << 32 | ((ga * fb + gb) & 0xffffffff);
}
GS_FN float times(float a, float b) { return a * b; }

std::vector<std::uint64_t> random_maps(std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<std::uint64_t> maps(n);
  for (auto& m : maps) m = random();
  return maps;
}

const std::vector<std::size_t> lengths{
    1,    2,    3,    5,    7,    31,   32,     33,     64,     511,           512,     513,           1000,     1023,
    1024, 1025, 4097, 8191, 8192, 8193, 16'383, 16'385, 65'537, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3'000'017};

TEST(reduce, keeps_the_order_of_its_operands) {
  for (std::size_t n : lengths) {
    const auto maps = random_maps(n);
    std::uint64_t expected = maps[0];
    for (std::size_t i = 1; i < n; ++i) expected = compose(expected, maps[i]);
    for (gs::target target : all_targets) ASSERT_EQ(gs::vectorize<compose>.on(target).reduce(maps), expected) << n;
    const auto on_device = gs::vectorize<compose>.reduce(gs::to_device(maps));
    ASSERT_EQ(on_device.shape(), gs::shape());
    ASSERT_EQ(on_device.copy_to_host()[0], expected) << n;
    ASSERT_EQ(gs::vectorize<compose>.reduce(maps, gs::initial(maps[0])), compose(maps[0], expected)) << n;
  }
}

// The error of pairwise summation grows with the logarithm of n (Higham 1993): a plain loop is far outside this bound.
TEST(reduce, float_sums_are_pairwise) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (std::size_t n : {1000ul, 1ul << 20, 10'000'000ul}) {
    std::vector<float> x(n);
    long double exact = 0;
    for (float& v : x) exact += static_cast<long double>(v = uniform(random));
    const float first = gs::vectorize<add>.on(gs::target::cpu).reduce(x);
    const auto bound = static_cast<long double>(std::numeric_limits<float>::epsilon()) / 2 *
                       static_cast<long double>(std::ceil(std::log2(static_cast<double>(n)) + 2)) * exact;
    EXPECT_LE(std::abs(static_cast<long double>(first) - exact), bound) << n;
    EXPECT_EQ(gs::vectorize<add>.on(gs::target::parallel).reduce(x), first);
    EXPECT_EQ(gs::vectorize<add>.on(gs::target::device).reduce(x), first);
  }
}

// (outer, length, inner) of an array of `extents` along `axis`; the fold is made element by element from the left.
xt::xarray<std::uint64_t> reference_reduce(const xt::xarray<std::uint64_t>& a, std::size_t axis) {
  std::vector<std::size_t> other_axes;
  std::size_t outer = 1, inner = 1;
  const std::size_t length = a.shape()[axis];
  for (std::size_t d = 0; d < a.dimension(); ++d) {
    if (d < axis) outer *= a.shape()[d];
    if (d > axis) inner *= a.shape()[d];
    if (d != axis) other_axes.push_back(a.shape()[d]);
  }
  auto result = xt::xarray<std::uint64_t>::from_shape(other_axes);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t i = 0; i < inner; ++i) {
      std::uint64_t value = a.data()[o * length * inner + i];
      for (std::size_t k = 1; k < length; ++k) value = compose(value, a.data()[(o * length + k) * inner + i]);
      result.data()[o * inner + i] = value;
    }
  return result;
}

TEST(reduce, along_every_axis) {
  using extents = std::vector<std::size_t>;
  for (const auto& s : {extents{7}, extents{1}, extents{3, 5}, extents{2049, 3}, extents{3, 2049}, extents{4, 1100, 5},
                        extents{2, 3, 4, 5}, extents{5, 0}, extents{1, 1, 1}, extents{1024 * 1024 + 1, 2}}) {
    auto a = xt::xarray<std::uint64_t>::from_shape(s);
    const auto maps = random_maps(a.size());
    std::copy(maps.begin(), maps.end(), a.storage().begin());
    const int rank = static_cast<int>(s.size());
    for (int axis = 0; axis < rank; ++axis) {
      if (s[static_cast<std::size_t>(axis)] == 0) continue;
      const auto expected = reference_reduce(a, static_cast<std::size_t>(axis));
      for (gs::target target : all_targets) {
        ASSERT_EQ(gs::vectorize<compose>.on(target).reduce(a, gs::axis(axis)), expected) << axis;
        ASSERT_EQ(gs::vectorize<compose>.on(target).reduce(a, gs::axis(axis - rank)), expected) << axis - rank;
      }
      const auto on_device = gs::vectorize<compose>.reduce(gs::to_device(a), gs::axis(axis));
      ASSERT_EQ(on_device.copy_to_host<xt::xarray<std::uint64_t>>(), expected) << axis;
    }
  }
}

TEST(reduce, containers_of_the_result) {
  const xt::xtensor<std::int32_t, 2> m{{3, 9, 2}, {8, 1, 7}};
  const xt::xtensor<std::int32_t, 1> columns = gs::vectorize<largest>.reduce(m, gs::axis(0));
  EXPECT_EQ(columns, (xt::xtensor<std::int32_t, 1>{8, 9, 7}));
  EXPECT_EQ(gs::vectorize<largest>.reduce(m, gs::axis(-1), gs::initial(8)), (xt::xtensor<std::int32_t, 1>{9, 8}));
  EXPECT_EQ(gs::vectorize<largest>.reduce(m), 9);
  EXPECT_EQ(gs::vectorize<largest>.reduce(std::vector<std::int32_t>{3, 5, 4}, gs::axis(0)),
            std::vector<std::int32_t>{5});
  EXPECT_EQ(gs::vectorize<largest>.reduce(xt::xarray<std::int32_t>(6)), 6);
}

TEST(reduce, of_nothing) {
  const std::vector<std::int64_t> no_elements;
  const auto empty = xt::xtensor<std::int64_t, 2>::from_shape({0, 3});
  constexpr auto sum = gs::vectorize<plus_i64>;
  for (gs::target target : all_targets) {
    const auto f = sum.on(target);
    EXPECT_TRUE(refused([&] { f.reduce(no_elements); }, {"a reduction", "(0,)", "gs::initial(value)"}));
    EXPECT_TRUE(refused([&] { f.reduce(empty, gs::axis(0)); }, {"(0, 3)"}));
    EXPECT_EQ(f.reduce(no_elements, gs::initial(std::int64_t{5})), 5);
    EXPECT_EQ(f.reduce(empty, gs::axis(0), gs::initial(std::int64_t{5})), (xt::xtensor<std::int64_t, 1>{5, 5, 5}));
    EXPECT_EQ(f.reduce(empty, gs::axis(1)).size(), 0u) << "no results: no value is missing";
  }
}

TEST(reduce, an_axis_that_isnt_there_is_refused) {
  const xt::xtensor<float, 2> m{{1, 2}, {3, 4}};
  for (int wrong : {2, -3, 100})
    EXPECT_TRUE(refused([&] { gs::vectorize<add>.reduce(m, gs::axis(wrong)); },
                        {"axis " + std::to_string(wrong), "(2, 2)", "an axis of -2 to 1"}));
  EXPECT_TRUE(refused([&] { gs::vectorize<add>.reduce(gs::to_device(1.0f), gs::axis(0)); }, {"a scalar has no axis"}));
  EXPECT_TRUE(refused([&] { gs::vectorize<add>.accumulate(m, gs::axis(2)); }, {"axis 2", "(2, 2)"}));
}

// A GPU's threads do items one by one; a core does ranges of them. Both must fold the same tree.
TEST(reduce, items_one_by_one_are_the_same_as_ranges) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t inner : {1ul, 3ul, 33ul, 100ul})
    for (std::size_t n = 1; n < 17'000; n += n < 40 ? 1 : inner == 1 ? 171 + n / 7 : 171) {
      if (inner > 1 && n > 3 * 1024) break;
      std::vector<float> x(n * inner), items(3 * inner), ranges(3 * inner);
      for (float& v : x) v = uniform(random);
      const gs::detail::axis_split split{1, n, inner, 0};
      const gs::detail::reduce_pass<add, float> by_item(items.data(), x.data(), split),
          by_range(ranges.data(), x.data(), split);
      for (std::size_t i = 0; i < by_item.size(); ++i) by_item.at(i);
      by_range.run(0, by_range.size());
      ASSERT_EQ(std::memcmp(items.data(), ranges.data(), items.size() * sizeof(float)), 0) << n << " x " << inner;
    }
}

// The tree that is promised: neighbours are combined, level after level, and an odd element at the end moves up.
TEST(reduce, is_a_tree_of_neighbours) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t n : lengths) {
    std::vector<float> x(n);
    for (float& v : x) v = uniform(random);
    std::vector<float> level = x;
    while (level.size() > 1) {
      std::vector<float> next;
      for (std::size_t k = 0; k < level.size(); k += 2)
        next.push_back(k + 1 < level.size() ? level[k] + level[k + 1] : level[k]);
      level = next;
    }
    for (gs::target target : all_targets) ASSERT_EQ(gs::vectorize<add>.on(target).reduce(x), level[0]) << n;
  }
}

TEST(reduce, the_free_function) {
  constexpr auto composed = gs::reduce<compose>;
  constexpr std::uint64_t identity = std::uint64_t{1} << 32;
  for (std::size_t n : {1ul, 31ul, 32ul, 33ul, 1009ul, 100'003ul}) {
    const auto maps = random_maps(n), before = maps;
    std::uint64_t expected = maps[0];
    for (std::size_t i = 1; i < n; ++i) expected = compose(expected, maps[i]);
    const auto on_device = gs::to_device(maps);
    for (gs::target target : all_targets) {
      ASSERT_EQ(composed.on(target)(maps, identity), expected) << n;
      ASSERT_EQ(composed.on(target)(maps), expected) << n;
      std::vector<std::uint64_t> out(1);
      composed.on(target)(maps, identity, gs::out(out));
      ASSERT_EQ(out[0], expected);
    }
    const auto result = composed(on_device, identity);
    ASSERT_EQ(result.shape(), gs::shape());
    ASSERT_EQ(result.copy_to_host()[0], expected);
    gs::device_array<std::uint64_t> out{gs::shape(1)};
    gs::stream stream;
    composed.on(stream)(on_device, gs::out(out));
    stream.synchronize();
    ASSERT_EQ(out.copy_to_host()[0], expected);
    EXPECT_EQ(maps, before);
    EXPECT_EQ(on_device.copy_to_host(), before);
    auto element_of_input = on_device.slice(0, 1);  // an output that is one of the elements
    composed(on_device, identity, gs::out(element_of_input));
    ASSERT_EQ(element_of_input.copy_to_host()[0], expected);
  }
  EXPECT_EQ((gs::reduce<add, plus_i64>(std::vector<std::int64_t>{1, 2, 3}, std::int64_t{4})), 10);
  EXPECT_EQ(gs::reduce<largest>(xt::xtensor<std::int32_t, 2>{{3, 9}, {8, 1}}), 9);
}

TEST(reduce, the_free_function_of_nothing) {
  const std::vector<float> empty;
  for (gs::target target : all_targets) {
    const auto sum = gs::reduce<add>.on(target);
    EXPECT_EQ(sum(empty, 3.0f), 3);
    EXPECT_TRUE(refused([&] { sum(empty); }, {"a reduction", "(0,)", "gs::initial(value)"}));
  }
  EXPECT_EQ(gs::reduce<add>(gs::to_device(empty), 3.0f).copy_to_host(), std::vector<float>{3});
  std::vector<float> two(2);
  EXPECT_TRUE(refused([&] { gs::reduce<add>(two, 0.0f, gs::out(two)); },
                      {"an output of shape (2,)", "gives one", "an array of one element"}));
  EXPECT_TRUE(refused([&] { gs::reduce<add>.on(gs::target::cpu)(gs::to_device(two), 0.0f); }, {"a device array"}));
}

TEST(accumulate, keeps_the_order_of_its_operands) {
  for (std::size_t n : {1ul, 2ul, 33ul, 4095ul, 4096ul, 4097ul, 8192ul, 8193ul, 100'003ul}) {
    const auto maps = random_maps(n);
    auto expected = maps;
    for (std::size_t i = 1; i < n; ++i) expected[i] = compose(expected[i - 1], maps[i]);
    for (gs::target target : all_targets) ASSERT_EQ(gs::vectorize<compose>.on(target).accumulate(maps), expected) << n;
    ASSERT_EQ(gs::vectorize<compose>.accumulate(gs::to_device(maps)).copy_to_host(), expected) << n;
  }
}

TEST(accumulate, along_every_axis) {
  for (std::size_t length : {1ul, 5ul, 4096ul, 4097ul, 9000ul}) {
    auto a = xt::xtensor<std::uint64_t, 3>::from_shape({3, length, 4});
    const auto maps = random_maps(a.size());
    std::copy(maps.begin(), maps.end(), a.storage().begin());
    auto middle = a, first = a;
    for (std::size_t o = 0; o < 3; ++o)
      for (std::size_t k = 0; k < length; ++k)
        for (std::size_t i = 0; i < 4; ++i) {
          if (k > 0) middle(o, k, i) = compose(middle(o, k - 1, i), a(o, k, i));
          if (o > 0) first(o, k, i) = compose(first(o - 1, k, i), a(o, k, i));
        }
    for (gs::target target : all_targets) {
      const xt::xtensor<std::uint64_t, 3> computed = gs::vectorize<compose>.on(target).accumulate(a, gs::axis(1));
      ASSERT_EQ(computed, middle) << length;
      ASSERT_EQ(gs::vectorize<compose>.on(target).accumulate(a, gs::axis(-2)), middle) << length;
      ASSERT_EQ(gs::vectorize<compose>.on(target).accumulate(a), first) << length;
    }
  }
}

TEST(accumulate, integers_wrap_and_nothing_stays_nothing) {
  const std::vector<std::uint8_t> x{200, 100, 7};
  for (gs::target target : all_targets) {
    EXPECT_EQ(gs::vectorize<add_u8>.on(target).accumulate(x), (std::vector<std::uint8_t>{200, 44, 51}));
    EXPECT_TRUE(gs::vectorize<add_u8>.on(target).accumulate(std::vector<std::uint8_t>{}).empty());
    EXPECT_EQ(gs::vectorize<add_u8>.on(target).reduce(x), 51);
  }
}

TEST(outer, is_every_pair) {
  const std::vector<float> a{1, 2, 3}, b{10, 20};
  const std::vector<float> expected{10, 20, 20, 40, 30, 60};
  const xt::xtensor<float, 1> row{1, 2, 3};
  const xt::xtensor<float, 2> m{{10, 20}, {30, 40}};
  for (gs::target target : all_targets) {
    const auto f = gs::vectorize<times>.on(target);
    EXPECT_EQ(f.outer(a, b), expected);
    const xt::xtensor<float, 3> cube = f.outer(row, m);
    ASSERT_EQ(cube.shape(), (std::array<std::size_t, 3>{3, 2, 2}));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(cube(i, j, k), row(i) * m(j, k));
    EXPECT_EQ(f.outer(m, 2.0f), (xt::xtensor<float, 2>{{20, 40}, {60, 80}}));
    EXPECT_EQ(f.outer(2.0f, b), (std::vector<float>{20, 40}));
    EXPECT_TRUE(f.outer(a, std::vector<float>{}).empty());
    xt::xtensor<float, 2> out({3, 2}), wrong({2, 3});
    f.outer(a, b, gs::out(out));
    EXPECT_EQ(std::vector<float>(out.begin(), out.end()), expected);
    EXPECT_TRUE(refused([&] { f.outer(a, b, gs::out(wrong)); }, {"(2, 3)", "(3, 2)"}));
  }
  const auto on_device = gs::vectorize<times>.outer(gs::to_device(a), b);
  EXPECT_EQ(on_device.shape(), gs::shape({3, 2}));
  EXPECT_EQ(on_device.copy_to_host(), expected);
}

TEST(outer, of_a_large_array_and_of_many_dimensions) {
  std::vector<float> a(2000), b(3001);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 19);
  for (gs::target target : all_targets) {
    const auto result = gs::vectorize<times>.on(target).outer(a, b);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) ASSERT_EQ(result[i * b.size() + j], a[i] * b[j]);
  }
  const xt::xarray<float> wide = xt::ones<float>(std::vector<std::size_t>(20, 1));
  EXPECT_TRUE(refused([&] { gs::vectorize<times>.outer(wide, wide); }, {"more than 32 dimensions"}));
}

}  // namespace
