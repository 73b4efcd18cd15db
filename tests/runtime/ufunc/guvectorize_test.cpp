// guvectorize against plain float64 loops: sizes, broadcast outer dimensions, fixed extents, several outputs, outputs
// over inputs, every error, on every target.

#include "runtime/ufunc/guvectorize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

using runtime_test::all_targets;
using runtime_test::refused;
using extents = std::vector<std::size_t>;

GS_FN void l2(gs::view<const float> x, float& norm) {
  norm = std::sqrt(gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; }));
}
GS_FN void l2_f64(gs::view<const double> x, double& norm) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i];
  norm = std::sqrt(sum);
}
GS_FN void multiply(gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < b.extent(0); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}
GS_FN void cross(gs::view<const float> a, gs::view<const float> b, gs::view<float> c) {
  for (std::size_t i = 0; i < 3; ++i) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}
GS_FN void smallest_and_position(gs::view<const std::int32_t> x, std::int32_t& value, std::int64_t& position) {
  value = 0;
  position = -1;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (position < 0 || x[i] < value) {
      value = x[i];
      position = static_cast<std::int64_t>(i);
    }
}
GS_FN void count_values(gs::view<const std::int32_t> x, gs::view<std::int32_t> count) {
  for (std::size_t k = 0; k < count.size(); ++k) count[k] = 0;
  for (std::size_t i = 0; i < x.size(); ++i) ++count[x[i]];
}
GS_FN void scale(gs::view<const float> x, float factor, gs::view<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = factor * x[i];
}
GS_FN void reverse(gs::view<const float> x, gs::view<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[x.size() - 1 - i];
}
GS_FN void triple(gs::view<const float> a, gs::view<const float> b, gs::view<const float> c, float& sum) {
  sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] * c[i];
}
GS_FN void quotient(std::int32_t a, std::int32_t b, std::int32_t& whole, std::int32_t& remainder) {
  whole = a / b;
  remainder = a % b;
}

constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()", l2_f64>;
constexpr auto matmul = gs::guvectorize<multiply, "(m,n),(n,p)->(m,p)">;
constexpr auto cross_product = gs::guvectorize<cross, "(3),(3)->(3)">;
constexpr auto minimum = gs::guvectorize<smallest_and_position, "(n)->(),()">;
constexpr auto counts = gs::guvectorize<count_values, "(n)->(k)">;
constexpr auto scaled = gs::guvectorize<scale, "(i),()->(i)">;
constexpr auto reversed = gs::guvectorize<reverse, "(i)->(i)">;
constexpr auto triple_dot = gs::guvectorize<triple, "(i),(i),(i)->()">;
constexpr auto divide = gs::guvectorize<quotient, "(),()->(),()">;

template <class T = float>
xt::xarray<T> random_array(const extents& s, unsigned seed) {
  auto a = xt::xarray<T>::from_shape(s);
  std::mt19937 random(seed);
  for (auto& v : a) v = static_cast<T>(std::uniform_int_distribution<int>(-4, 4)(random));  // products are exact
  return a;
}

TEST(guvectorize, agrees_with_a_plain_loop_at_every_size) {
  for (std::size_t rows : {0ul, 1ul, 31ul, 1009ul, 20'000ul})
    for (std::size_t n : {0ul, 1ul, 2ul, 3ul, 4ul, 5ul, 31ul, 32ul, 33ul, 1009ul}) {
      if (rows * n > 2'000'000) continue;
      const auto x = random_array({rows, n}, 1);
      const auto x_before = x;
      xt::xarray<float> expected = xt::zeros<float>({rows});
      for (std::size_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += double{x(r, i)} * double{x(r, i)};
        expected(r) = static_cast<float>(std::sqrt(sum));
      }
      for (gs::target target : all_targets)
        ASSERT_EQ(l2_norm.on(target)(x), expected) << rows << " x " << n << " " << gs::to_string(target);
      const auto on_device = gs::to_device(x);
      ASSERT_EQ(l2_norm(on_device).copy_to_host<xt::xarray<float>>(), expected) << rows << " x " << n;
      ASSERT_EQ(x, x_before);
      ASSERT_EQ(on_device.copy_to_host<xt::xarray<float>>(), x_before);
    }
}

// The core of operand `a` that belongs to element `position` of the loop.
const float* reference_core(const xt::xarray<float>& a, const extents& position, std::size_t core_rank) {
  std::size_t at = 0;
  const std::size_t outer = a.dimension() - core_rank;
  for (std::size_t d = 0; d < outer; ++d)
    at = at * a.shape()[d] + (a.shape()[d] == 1 ? 0 : position[position.size() - outer + d]);
  for (std::size_t d = outer; d < a.dimension(); ++d) at *= a.shape()[d];
  return a.data() + at;
}
extents joined(extents a, const extents& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(guvectorize, broadcasts_the_outer_dimensions) {
  const std::vector<std::array<extents, 3>> loops{
      {extents{}, extents{}, extents{}},
      {extents{5}, extents{}, extents{5}},
      {extents{}, extents{7}, extents{7}},
      {extents{5}, extents{5}, extents{5}},
      {extents{5, 1}, extents{3}, extents{5, 3}},
      {extents{1, 4}, extents{6, 1}, extents{6, 4}},
      {extents{2, 1, 3}, extents{4, 1}, extents{2, 4, 3}},
      {extents{1}, extents{0}, extents{0}},
  };
  for (const auto& [a_loop, b_loop, loop] : loops)
    for (const auto& [m, n, p] : {std::array{2ul, 3ul, 4ul},
                                  {1ul, 1ul, 1ul},
                                  {3ul, 3ul, 3ul},
                                  {2ul, 2ul, 2ul},
                                  {4ul, 4ul, 4ul},
                                  {5ul, 0ul, 2ul},
                                  {0ul, 3ul, 2ul},
                                  {7ul, 31ul, 5ul}}) {
      const auto a = random_array(joined(a_loop, {m, n}), 2), b = random_array(joined(b_loop, {n, p}), 3);
      auto expected = xt::xarray<float>::from_shape(joined(loop, {m, p}));
      extents position(loop.size());
      for (std::size_t i = 0; i < expected.size() && m * p > 0; i += m * p) {
        const float *x = reference_core(a, position, 2), *y = reference_core(b, position, 2);
        for (std::size_t r = 0; r < m; ++r)
          for (std::size_t c = 0; c < p; ++c) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += double{x[r * n + k]} * double{y[k * p + c]};
            expected.data()[i + r * p + c] = static_cast<float>(sum);
          }
        for (std::size_t d = loop.size(); d-- > 0;) {
          if (++position[d] < loop[d]) break;
          position[d] = 0;
        }
      }
      for (gs::target target : all_targets) {
        const auto computed = matmul.on(target)(a, b);
        ASSERT_EQ(extents(computed.shape().begin(), computed.shape().end()), joined(loop, {m, p}));
        ASSERT_EQ(computed, expected) << gs::to_string(target);
      }
      const auto on_device = matmul(gs::to_device(a), gs::to_device(b));
      ASSERT_EQ(on_device.shape(), gs::shape(joined(loop, {m, p})));
      ASSERT_EQ(on_device.copy_to_host<xt::xarray<float>>(), expected);
      auto out = xt::xarray<float>::from_shape(joined(joined({2}, loop), {m, p}));
      if (loop.size() == 2) {  // an output with more outer dimensions than the inputs have: the result is repeated
        matmul(a, b, gs::out(out));
        for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.data()[i], expected.data()[i % expected.size()]);
      }
    }
}

TEST(guvectorize, three_arrays_in_every_combination) {
  for (int repeated = 0; repeated < 8; ++repeated)
    for (std::size_t n : {2ul, 9ul}) {
      std::vector<xt::xarray<float>> in;
      for (unsigned k = 0; k < 3; ++k) in.push_back(random_array((repeated >> k & 1) ? extents{n} : extents{6, n}, k));
      auto expected = xt::xarray<float>::from_shape(repeated == 7 ? extents{} : extents{6});
      for (std::size_t i = 0; i < expected.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
          double product = 1;
          for (const auto& x : in) product *= x.data()[(x.dimension() == 1 ? 0 : i) * n + j];
          sum += product;
        }
        expected.data()[i] = static_cast<float>(sum);
      }
      for (gs::target target : all_targets) ASSERT_EQ(triple_dot.on(target)(in[0], in[1], in[2]), expected) << repeated;
    }
}

TEST(guvectorize, fixed_extents) {
  const xt::xtensor<float, 2> a{{1, 0, 0}, {0, 1, 0}, {1, 2, 3}};
  const xt::xtensor<float, 1> b{0, 0, 2};
  const xt::xtensor<float, 2> expected{{0, -2, 0}, {2, 0, 0}, {4, -2, 0}};
  for (gs::target target : all_targets) EXPECT_EQ(cross_product.on(target)(a, b), expected);
  EXPECT_EQ(cross_product(std::vector<float>{1, 0, 0}, std::vector<float>{0, 1, 0}), (std::vector<float>{0, 0, 1}));
  EXPECT_TRUE(refused([&] { cross_product(std::vector<float>{1, 2}, b); },
                      {"a call with the layout (3),(3)->(3)", "the array for (3) has the shape (2,)",
                       "give one whose extent is 3 where the layout says so"}));
}

TEST(guvectorize, several_outputs) {
  const xt::xtensor<std::int32_t, 2> x{{3, 1, 2}, {5, 6, -7}};
  for (gs::target target : all_targets) {
    const auto [value, place] = minimum.on(target)(x);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(place)>, xt::xtensor<std::int64_t, 1>>);
    EXPECT_EQ(value, (xt::xtensor<std::int32_t, 1>{1, -7}));
    EXPECT_EQ(place, (xt::xtensor<std::int64_t, 1>{1, 2}));
    std::vector<std::int32_t> given_value(2);
    std::vector<std::int64_t> given_place(2);
    minimum.on(target)(x, gs::out(given_value), gs::out(given_place));
    EXPECT_EQ(given_value, (std::vector<std::int32_t>{1, -7}));
    EXPECT_EQ(given_place, (std::vector<std::int64_t>{1, 2}));
    auto values = xt::xtensor<std::int32_t, 2>::from_shape({3, 2});
    auto places = xt::xtensor<std::int64_t, 2>::from_shape({3, 2});
    minimum.on(target)(x, gs::out(values), gs::out(places));  // the result, three times
    EXPECT_EQ(values, (xt::xtensor<std::int32_t, 2>{{1, -7}, {1, -7}, {1, -7}}));
    EXPECT_EQ(places, (xt::xtensor<std::int64_t, 2>{{1, 2}, {1, 2}, {1, 2}}));
  }
  const auto [value, place] = minimum(gs::to_device(x));
  EXPECT_EQ(value.copy_to_host(), (std::vector<std::int32_t>{1, -7}));
  EXPECT_EQ(place.copy_to_host(), (std::vector<std::int64_t>{1, 2}));
}

TEST(guvectorize, what_has_no_dimensions_is_a_value) {
  const std::vector<float> x{3, 4};
  for (gs::target target : all_targets) {
    const float norm = l2_norm.on(target)(x);
    EXPECT_EQ(norm, 5);
    const auto [smallest, place] = minimum.on(target)(std::vector<std::int32_t>{4, 3, 9});
    EXPECT_EQ(smallest, 3);
    EXPECT_EQ(place, 1);
    const auto [whole, remainder] = divide.on(target)(17, 5);
    EXPECT_EQ(whole, 3);
    EXPECT_EQ(remainder, 2);
    EXPECT_EQ(std::get<1>(divide.on(target)(std::vector{7, 8, 9}, 4)), (std::vector{3, 0, 1}));
  }
  EXPECT_EQ(l2_norm(gs::to_device(x)).shape(), gs::shape());
  EXPECT_EQ(l2_norm(xt::xarray<float>{3, 4}), xt::xarray<float>(5)) << "a rank that only runs tell is an array's";
}

TEST(guvectorize, an_extent_that_only_the_output_has) {
  const xt::xtensor<std::int32_t, 2> x{{3, 1, 1}, {0, 0, 0}};
  const xt::xtensor<std::int32_t, 2> expected{{0, 2, 0, 1}, {3, 0, 0, 0}};
  for (gs::target target : all_targets) {
    xt::xtensor<std::int32_t, 2> count = xt::zeros<std::int32_t>({2, 4});
    counts.on(target)(x, gs::out(count));
    EXPECT_EQ(count, expected);
  }
  gs::device_array<std::int32_t> count(gs::shape({2, 4}));
  counts(gs::to_device(x), gs::out(count));
  EXPECT_EQ((count.copy_to_host<xt::xtensor<std::int32_t, 2>>()), expected);
}

TEST(guvectorize, numbers_and_arrays_of_numbers) {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}, {5, 6}};
  const std::vector<float> factors{1, 10, 100};
  for (gs::target target : all_targets) {
    EXPECT_EQ(scaled.on(target)(x, 2.0f), (xt::xtensor<float, 2>{{2, 4}, {6, 8}, {10, 12}}));
    EXPECT_EQ(scaled.on(target)(x, factors), (xt::xtensor<float, 2>{{1, 2}, {30, 40}, {500, 600}}));
  }
}

TEST(guvectorize, an_output_may_overlap_an_input) {
  for (std::size_t n : {1ul, 2ul, 5ul, 1000ul})
    for (std::size_t rows : {1ul, 2ul, 40ul}) {
      const auto original = random_array({rows, n}, 4);
      auto expected = original;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < n; ++i) expected(r, i) = original(r, n - 1 - i);
      for (gs::target target : all_targets) {
        auto x = original;
        reversed.on(target)(x, gs::out(x));
        ASSERT_EQ(x, expected) << gs::to_string(target);
      }
      auto on_device = gs::to_device(original);
      reversed(on_device, gs::out(on_device));
      ASSERT_EQ(on_device.copy_to_host<xt::xarray<float>>(), expected);
      if (rows == 1) continue;
      on_device.copy_from_host(original);  // rows 0 to n - 2 into rows 1 to n - 1
      auto shifted = on_device.slice(1, rows);
      reversed(on_device.slice(0, rows - 1), gs::out(shifted));
      const auto computed = shifted.copy_to_host();
      for (std::size_t i = 0; i < computed.size(); ++i) ASSERT_EQ(computed[i], expected.data()[i]);
    }
  std::vector<std::int32_t> x{4, 5}, y(2);
  EXPECT_TRUE(refused([&] { divide.on(gs::target::cpu)(x, 3, gs::out(y), gs::out(y)); },
                      {"a call with several outputs", "two of them share memory", "an array of its own"}));
}

TEST(guvectorize, signatures_match_exactly) {
  EXPECT_EQ(l2_norm(std::vector<double>{3, 4}), 5.0);
  static_assert(std::is_same_v<decltype(l2_norm(std::vector<double>())), double>);
  static_assert(std::is_same_v<decltype(l2_norm(std::vector<float>())), float>);
}

TEST(guvectorize, copies_are_counted) {
  const auto x = random_array({10, 4}, 5);
  {
    gs::ledger_scope scope;
    l2_norm.on(gs::target::device)(x);
    EXPECT_EQ(scope.account().copies_to_device, 1u);
    EXPECT_EQ(scope.account().bytes_to_device, 160u);
    EXPECT_EQ(scope.account().copies_to_host, 1u);
    EXPECT_EQ(scope.account().bytes_to_host, 40u);
    EXPECT_EQ(scope.account().launches, 1u);
  }
  const auto on_device = gs::to_device(x);
  gs::ledger_scope scope;
  l2_norm(on_device);
  l2_norm.on(gs::target::cpu)(x);
  EXPECT_EQ(scope.account().copies_to_device + scope.account().copies_to_host, 0u);
}

TEST(guvectorize, on_a_stream) {
  gs::stream stream;
  const auto x = random_array({1000, 8}, 6);
  const auto on_device = gs::to_device(x);
  gs::device_array<float> doubled(on_device.shape()), copy(on_device.shape());
  reversed.on(stream)(on_device, gs::out(doubled));
  reversed.on(stream)(doubled, gs::out(copy));
  stream.synchronize();
  EXPECT_EQ(copy.copy_to_host<xt::xarray<float>>(), x);
  EXPECT_TRUE(refused([&] { l2_norm.on(gs::target::parallel)(on_device); }, {"target parallel", "a device array"}));
}

TEST(guvectorize, shapes_that_dont_fit_are_refused) {
  const auto m23 = random_array({2, 3}, 1), m45 = random_array({4, 5}, 1), m34 = random_array({3, 4}, 1);
  const xt::xarray<float> vector = xt::ones<float>({3});
  EXPECT_TRUE(refused([&] { matmul(m23, m45); },
                      {"a call with the layout (m,n),(n,p)->(m,p)",
                       "n is 3 in (m,n) of shape (2, 3), and 4 in (n,p) of shape (4, 5)", "they are never repeated"}));
  EXPECT_TRUE(refused([&] { matmul(m23, random_array({1, 5}, 1)); }, {"n is 3", "and 1 in (n,p) of shape (1, 5)"}));
  EXPECT_TRUE(refused([&] { matmul(vector, m34); },
                      {"the array for (m,n) has the shape (3,)", "give one of 2 dimensions or more"}));
  EXPECT_TRUE(refused([&] { l2_norm(gs::to_device(1.0f)); },
                      {"the array for (i) has the shape ()", "give one of 1 dimension or more"}));
  EXPECT_TRUE(refused([&] { matmul(random_array({2, 2, 3}, 1), random_array({5, 3, 4}, 1)); },
                      {"a call with the layout (m,n),(n,p)->(m,p): the outer dimensions, shape (2,) and (5,) don't "
                       "broadcast",
                       "dimension 0 is 2 and 5"}));
  auto wrong = random_array({2, 5}, 1), small = random_array({2, 4}, 1), flat = random_array({4}, 1);
  EXPECT_TRUE(refused([&] { matmul(m23, m34, gs::out(wrong)); },
                      {"p is 4 in (n,p) of shape (3, 4), and 5 in (m,p) of shape (2, 5)"}));
  EXPECT_TRUE(refused([&] { matmul(m23, m34, gs::out(flat)); },
                      {"the array for (m,p) has the shape (4,)", "2 dimensions or more"}));
  EXPECT_TRUE(refused([&] { matmul(random_array({6, 2, 3}, 1), m34, gs::out(small)); },
                      {"an output of shape (2, 4)", "the result's shape is (6, 2, 4)"}));
  std::vector<std::int32_t> value(2);
  std::vector<std::int64_t> place(3);
  EXPECT_TRUE(refused([&] { minimum(random_array<std::int32_t>({2, 3}, 1), gs::out(value), gs::out(place)); },
                      {"an output of shape (3,)", "the result's shape is (2,)"}));
}

}  // namespace
