// Broadcasting against a reference written from NumPy's rules: thousands of random shapes, accepted and refused alike,
// and the values of the accepted ones on every target.

#include "runtime/ufunc/broadcast.h"

#include <gtest/gtest.h>

#include <optional>
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

GS_FN float two(float a, float b) { return a + 8.0f * b; }
GS_FN float three(float a, float b, float c) { return a + 8.0f * b + 64.0f * c; }
GS_FN float four_and_one(float a, float b, float s, float c, float d) { return a + 8 * b + 64 * c + 512 * d + s; }

// NumPy's rule: shapes are aligned at the end; in each dimension all extents other than 1 must be the same number.
// Empty if they aren't; `conflict` is then the first such dimension of the result.
std::optional<extents> reference_shape(const std::vector<extents>& shapes, std::size_t* conflict = nullptr) {
  std::size_t rank = 0;
  for (const auto& s : shapes) rank = std::max(rank, s.size());
  extents result(rank, 1);
  for (std::size_t d = 0; d < rank; ++d)
    for (const auto& s : shapes) {
      if (d + s.size() < rank) continue;
      const std::size_t extent = s[d + s.size() - rank];
      if (extent == 1) continue;
      if (result[d] != 1 && result[d] != extent) {
        if (conflict) *conflict = d;
        return std::nullopt;
      }
      result[d] = extent;
    }
  return result;
}

// The element of `a` that element `position` (a multi-index of the result) reads.
double reference_element(const xt::xarray<float>& a, const extents& position) {
  extents own;
  for (std::size_t d = 0; d < a.dimension(); ++d) {
    const std::size_t p = position[position.size() - a.dimension() + d];
    own.push_back(a.shape()[d] == 1 ? 0 : p);
  }
  std::size_t at = 0;
  for (std::size_t d = 0; d < own.size(); ++d) at = at * a.shape()[d] + own[d];
  return double{a.data()[at]};
}

// f over all elements in double precision, row by row.
template <class F>
std::vector<float> reference_values(const extents& result, F f) {
  std::size_t size = 1;
  for (std::size_t e : result) size *= e;
  std::vector<float> values;
  extents position(result.size());
  for (std::size_t i = 0; i < size; ++i) {
    values.push_back(static_cast<float>(f(position)));
    for (std::size_t d = result.size(); d-- > 0;) {
      if (++position[d] < result[d]) break;
      position[d] = 0;
    }
  }
  return values;
}

class broadcasting : public testing::Test {
 protected:
  std::size_t random_below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); }

  // `count` shapes of rank 0 to 6, extents 0 to 5. Most are cut from one shape, so that many of them broadcast.
  std::vector<extents> shapes(std::size_t count) {
    extents whole(random_below(7));
    for (auto& e : whole) e = random_below(12) == 0 ? 0 : 1 + random_below(5);
    const std::size_t strangers = random_below(4) == 0 ? 4 : 40;
    std::vector<extents> shapes_made;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t start = random_below(3) == 0 ? random_below(whole.size() + 1) : 0;
      extents s(whole.begin() + static_cast<std::ptrdiff_t>(start), whole.end());
      for (auto& e : s) {
        if (random_below(4) == 0) e = 1;
        if (random_below(strangers) == 0) e = random_below(6);
      }
      shapes_made.push_back(s);
    }
    return shapes_made;
  }
  xt::xarray<float> array(const extents& s) {
    xt::xarray<float> a = xt::xarray<float>::from_shape(s);
    for (float& x : a.storage()) x = static_cast<float>(random_below(8));
    return a;
  }
  static std::vector<float> flat(const xt::xarray<float>& a) { return {a.storage().begin(), a.storage().end()}; }
  static std::string text(const extents& s) { return to_string(gs::shape(s)); }

  std::mt19937 random{20'240'229};
};

TEST_F(broadcasting, thousands_of_pairs) {
  int accepted = 0, declined = 0;
  for (int round = 0; round < 6000; ++round) {
    const auto s = shapes(2);
    const auto a = array(s[0]), b = array(s[1]);
    std::size_t conflict = 0;
    const auto result = reference_shape(s, &conflict);
    if (!result) {
      ++declined;
      const std::size_t rank = std::max(s[0].size(), s[1].size());
      const auto dimension = "dimension " + std::to_string(conflict) + " is " +
                             std::to_string(s[0][conflict + s[0].size() - rank]) + " and " +
                             std::to_string(s[1][conflict + s[1].size() - rank]);
      for (gs::target target : all_targets)
        ASSERT_TRUE(refused([&] { gs::vectorize<two>.on(target)(a, b); },
                            {"shape " + text(s[0]) + " and " + text(s[1]) + " don't broadcast", dimension}));
      continue;
    }
    ++accepted;
    const auto expected = reference_values(
        *result, [&](const extents& p) { return reference_element(a, p) + 8 * reference_element(b, p); });
    for (gs::target target : all_targets) {
      const xt::xarray<float> computed = gs::vectorize<two>.on(target)(a, b);
      ASSERT_EQ(extents(computed.shape().begin(), computed.shape().end()), *result) << text(s[0]) << " " << text(s[1]);
      ASSERT_EQ(flat(computed), expected) << text(s[0]) << " " << text(s[1]) << " on " << to_string(target);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(declined, 500);
}

TEST_F(broadcasting, thousands_of_triples) {
  int accepted = 0, declined = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto s = shapes(3);
    const auto a = array(s[0]), b = array(s[1]), c = array(s[2]);
    const auto result = reference_shape(s);
    if (!result) {
      ++declined;
      ASSERT_TRUE(refused([&] { gs::vectorize<three>(a, b, c); }, {"don't broadcast", "dimension"}))
          << text(s[0]) << text(s[1]) << text(s[2]);
      continue;
    }
    ++accepted;
    const auto expected = reference_values(*result, [&](const extents& p) {
      return reference_element(a, p) + 8 * reference_element(b, p) + 64 * reference_element(c, p);
    });
    for (gs::target target : all_targets)
      ASSERT_EQ(flat(gs::vectorize<three>.on(target)(a, b, c)), expected)
          << text(s[0]) << text(s[1]) << text(s[2]) << " on " << to_string(target);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(declined, 500);
}

// More than three arrays take another loop; a single value among them stays one.
TEST_F(broadcasting, four_arrays_and_a_value) {
  for (int round = 0; round < 1000; ++round) {
    auto s = shapes(4);
    if (round % 4 == 0) s[1] = s[2] = s[3] = s[0];
    if (!reference_shape(s)) continue;
    const auto a = array(s[0]), b = array(s[1]), c = array(s[2]), d = array(s[3]);
    const auto expected = reference_values(*reference_shape(s), [&](const extents& p) {
      return reference_element(a, p) + 8 * reference_element(b, p) + 64 * reference_element(c, p) +
             512 * reference_element(d, p) + 0.5;
    });
    for (gs::target target : all_targets)
      ASSERT_EQ(flat(gs::vectorize<four_and_one>.on(target)(a, b, 0.5f, c, d)), expected)
          << text(s[0]) << text(s[1]) << text(s[2]) << text(s[3]) << " on " << to_string(target);
  }
}

TEST_F(broadcasting, items_one_by_one_are_the_same_as_ranges) {  // a GPU's threads take items, a core takes ranges
  for (int round = 0; round < 500; ++round) {
    const auto s = shapes(2);
    const auto result = reference_shape(s);
    if (!result) continue;
    const auto a = array(s[0]), b = array(s[1]);
    const std::size_t size = gs::shape(*result).size();
    std::vector<float> one_by_one(size), in_ranges(size);
    const gs::shape a_extents(s[0]), b_extents(s[1]);
    const auto make = [&](float* out) {
      return gs::detail::elementwise<two, float, gs::detail::array_operand<float>, gs::detail::array_operand<float>>(
          out, gs::shape(*result), {&a_extents, &b_extents}, {a.data()}, {b.data()});
    };
    const auto items = make(one_by_one.data()), ranges = make(in_ranges.data());
    for (std::size_t i = 0; i < size; ++i) items.at(i);
    for (std::size_t i = 0; i < size; i += 7) ranges.run(i, std::min(size, i + 7));
    ASSERT_EQ(one_by_one, in_ranges) << text(s[0]) << " " << text(s[1]);
    ASSERT_EQ(one_by_one, reference_values(*result, [&](const extents& p) {
                return reference_element(a, p) + 8 * reference_element(b, p);
              }));
  }
}

TEST_F(broadcasting, outputs_may_repeat_the_result_but_not_be_repeated) {
  int larger = 0, declined = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto s = shapes(3);
    const auto a = array(s[0]), b = array(s[1]);
    const auto result = reference_shape({s[0], s[1]});
    if (!result) continue;
    auto out = array(s[2]);
    const auto with_out = reference_shape({s[0], s[1], s[2]});
    if (with_out != s[2]) {  // the output itself would have to be repeated, or doesn't fit at all
      ++declined;
      const auto out_before = flat(out);
      gs::ledger_scope scope;
      ASSERT_TRUE(refused([&] { gs::vectorize<two>(a, b, gs::out(out)); },
                          {"an output of shape " + text(s[2]), "the result's shape is " + text(*result)}));
      ASSERT_EQ(scope.account(), gs::ledger{}) << "refused before anything is copied";
      ASSERT_EQ(flat(out), out_before);
      continue;
    }
    larger += *result != s[2];
    const auto expected =
        reference_values(s[2], [&](const extents& p) { return reference_element(a, p) + 8 * reference_element(b, p); });
    for (gs::target target : all_targets) {
      gs::vectorize<two>.on(target)(a, b, gs::out(out));
      ASSERT_EQ(flat(out), expected) << text(s[0]) << text(s[1]) << " into " << text(s[2]);
    }
  }
  EXPECT_GT(larger, 50);
  EXPECT_GT(declined, 50);
}

TEST(broadcast_shape, of_many_and_of_none) {
  EXPECT_EQ(gs::detail::broadcast({}), gs::shape());
  const gs::shape row({1, 3}), column({4, 1}), three = 3, scalar, one = 1, zero = 0, two = 2;
  const std::vector<const gs::shape*> many{&row, &column, &three, &scalar}, none_of_one{&one, &zero},
      wrong{&zero, &two};
  EXPECT_EQ(gs::detail::broadcast(many), gs::shape({4, 3}));
  EXPECT_EQ(gs::detail::broadcast(none_of_one), gs::shape(0));
  EXPECT_TRUE(refused([&] { gs::detail::broadcast(wrong); }, {"(0,) and (2,)", "dimension 0 is 0 and 2"}));
}

// Of the first ten dimensions, which have two elements, the odd ones are the left operand's and the even ones the right
// one's: the bits of a result's number, taken apart, are the numbers of its operands.
TEST(broadcast_shape, thirty_two_dimensions) {
  std::vector<std::size_t> a(32, 1), b(32, 1), both(32, 1);
  for (std::size_t d = 0; d < 10; ++d) both[d] = (d % 2 ? a : b)[d] = 2;
  xt::xarray<float> left = xt::zeros<float>(a), right = xt::zeros<float>(b);
  for (std::size_t i = 0; i < 32; ++i) {
    left.data()[i] = static_cast<float>(i);
    right.data()[i] = static_cast<float>(100 * i);
  }
  const auto result = gs::vectorize<two>(left, right);
  EXPECT_EQ(std::vector<std::size_t>(result.shape().begin(), result.shape().end()), both);
  ASSERT_EQ(result.size(), 1024u);
  for (std::size_t k = 0; k < 1024; ++k) {
    std::size_t of_left = 0, of_right = 0;
    for (std::size_t d = 0; d < 10; ++d) {
      std::size_t& number = d % 2 ? of_left : of_right;
      number = 2 * number + (k >> (9 - d) & 1);
    }
    EXPECT_EQ(result.data()[k], two(static_cast<float>(of_left), static_cast<float>(100 * of_right))) << k;
  }
}

}  // namespace
