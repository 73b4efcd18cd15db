// filter, sort_by, group_by and join against plain loops: std::stable_sort, std::map, two nested loops.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/columns/column_errors.h"
#include "runtime/columns/columns.h"
#include "runtime/gs.h"

namespace {

template <class T>
std::vector<T> random_keys(std::size_t n, int different, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<int>(random() % static_cast<unsigned>(different)) - different / 2;
    keys[i] = static_cast<T>(number);
    if constexpr (std::is_floating_point_v<T>) {
      keys[i] = static_cast<T>(number) / 4;
      if (number == 3) keys[i] = std::numeric_limits<T>::quiet_NaN();
      if (number == 0 && random() % 2) keys[i] = T(-0.0);
    }
  }
  return keys;
}

std::vector<double> random_values(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(n);
  for (double& v : values) v = static_cast<double>(random() % 2001) / 8 - 100;  // sums of these are exact
  return values;
}

// The order that the library promises: NaNs equal, and last.
template <class T>
bool comes_before(T a, T b) {
  if (a != a) return false;
  return b != b || a < b;
}
template <class T>
struct key_order {
  bool operator()(T a, T b) const { return comes_before(a, b); }
};
template <class T>
bool is_same_key(T a, T b) {
  return !comes_before(a, b) && !comes_before(b, a);
}

template <class T>
gs::device_array<T> on_device(const std::vector<T>& x) {
  if constexpr (std::is_same_v<T, bool>) {
    const auto plain = std::make_unique<bool[]>(x.size());
    std::ranges::copy(x, plain.get());
    return gs::to_device(std::span<const bool>(plain.get(), x.size()));
  } else {
    return gs::to_device(x);
  }
}
template <class T>
std::vector<T> on_host(const gs::table& t, const std::string& name) {
  const auto& column = t.column<T>(name);
  if constexpr (std::is_same_v<T, bool>) {
    const auto plain = std::make_unique<bool[]>(column.size());
    column.copy_to_host(std::span(plain.get(), column.size()));
    return std::vector<bool>(plain.get(), plain.get() + column.size());
  } else {
    return column.copy_to_host();
  }
}

// Elements that are the same or both NaN.
template <class T>
void expect_same(const std::vector<T>& found, const std::vector<T>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const T a = found[i], b = expected[i];
    ASSERT_TRUE(a == b || (a != a && b != b)) << what << ", row " << i << ": " << +a << " instead of " << +b;
  }
}

template <class T>
gs::table keyed_table(const std::vector<T>& keys, const std::vector<double>& values) {
  std::vector<std::int32_t> rows(keys.size());
  std::iota(rows.begin(), rows.end(), 0);
  gs::table t;
  t.add("key", on_device(keys));
  t.add("value", on_device(values));
  t.add("row", on_device(rows));
  return t;
}

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 40'000};

template <class T>
class operations : public testing::Test {};
using key_types = testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                 std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(operations, key_types);

TYPED_TEST(operations, sort_is_stable) {
  for (const std::size_t n : sizes) {
    const auto keys = random_keys<TypeParam>(n, 50, 1);
    const gs::table sorted = gs::sort_by(keyed_table(keys, random_values(n, 2)), "key");
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
      return comes_before<TypeParam>(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
    EXPECT_EQ(on_host<std::int32_t>(sorted, "row"), order) << n << " rows";
    std::vector<TypeParam> expected;
    for (const std::int32_t row : order) expected.push_back(keys[static_cast<std::size_t>(row)]);
    expect_same(on_host<TypeParam>(sorted, "key"), expected, std::to_string(n) + " rows");
  }
}

TYPED_TEST(operations, groups_are_those_of_a_map) {
  struct group {
    double sum = 0, least = std::numeric_limits<double>::infinity(), greatest = -least;
    std::int64_t count = 0;
  };
  for (const std::size_t n : sizes)
    for (const int different : {1, 50, 100'000}) {
      const auto keys = random_keys<TypeParam>(n, different, 3);
      const auto values = random_values(n, 4);
      std::map<TypeParam, group, key_order<TypeParam>> groups;
      for (std::size_t i = 0; i < n; ++i) {
        group& g = groups[keys[i]];
        g.sum += values[i];
        g.least = std::min(g.least, values[i]);
        g.greatest = std::max(g.greatest, values[i]);
        ++g.count;
      }
      const gs::table found = gs::group_by(keyed_table(keys, values), "key",
                                           {{"value", gs::aggregate::sum},
                                            {"value", gs::aggregate::mean},
                                            {"value", gs::aggregate::min, "least"},
                                            {"value", gs::aggregate::max},
                                            {"", gs::aggregate::count}});
      ASSERT_EQ(found.names(),
                (std::vector<std::string>{"key", "value_sum", "value_mean", "least", "value_max", "count"}));
      std::vector<TypeParam> key;
      std::vector<double> sum, mean, least, greatest;
      std::vector<std::int64_t> count;
      for (const auto& [k, g] : groups) {
        key.push_back(k), sum.push_back(g.sum), mean.push_back(g.sum / static_cast<double>(g.count));
        least.push_back(g.least), greatest.push_back(g.greatest), count.push_back(g.count);
      }
      const std::string what = std::to_string(n) + " rows, " + std::to_string(different) + " keys";
      expect_same(on_host<TypeParam>(found, "key"), key, what);
      expect_same(on_host<double>(found, "value_sum"), sum, what);
      expect_same(on_host<double>(found, "value_mean"), mean, what);
      expect_same(on_host<double>(found, "least"), least, what);
      expect_same(on_host<double>(found, "value_max"), greatest, what);
      expect_same(on_host<std::int64_t>(found, "count"), count, what);
    }
}

// Each type as the column that is reduced, at its ends.
TYPED_TEST(operations, aggregates_have_the_types_and_values_that_they_should) {
  using T = TypeParam;
  using wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
  const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
  gs::table t;
  t.add("key", gs::to_device(std::vector<std::int32_t>{7, -7, 7, 7}));
  t.add("x", on_device(std::vector<T>{high, low, T(1), T(0)}));
  const gs::table g = gs::group_by(
      t, "key",
      {{"x", gs::aggregate::sum}, {"x", gs::aggregate::mean}, {"x", gs::aggregate::min}, {"x", gs::aggregate::max}});
  if constexpr (std::is_floating_point_v<T> || sizeof(T) < 8) {  // of 64 bits it wraps around
    const wide sum = static_cast<wide>(high) + wide{1};
    EXPECT_EQ(g.column<wide>("x_sum").copy_to_host(), (std::vector<wide>{static_cast<wide>(low), sum}));
  }
  EXPECT_DOUBLE_EQ(g.column<double>("x_mean").copy_to_host()[1], (static_cast<double>(high) + 1) / 3);
  expect_same(on_host<T>(g, "x_min"), {low, T(0)}, "least");
  expect_same(on_host<T>(g, "x_max"), {low, high}, "greatest");
}

TYPED_TEST(operations, joins_are_those_of_two_loops) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009})
    for (const std::size_t m : {0, 1, 33, 257}) {
      const auto left = random_keys<TypeParam>(n, 60, 5), right = random_keys<TypeParam>(m, 60, 6);
      const gs::table l = keyed_table(left, random_values(n, 7));
      gs::table r = keyed_table(right, random_values(m, 8));
      r.rename("value", "price");
      r.rename("row", "other_row");
      const gs::table joined = gs::join(l, r, "key");
      std::vector<std::int32_t> left_rows, right_rows;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < m; ++k)
          if (is_same_key<TypeParam>(left[i], right[k])) {
            left_rows.push_back(static_cast<std::int32_t>(i));
            right_rows.push_back(static_cast<std::int32_t>(k));
          }
      const std::string what = std::to_string(n) + " and " + std::to_string(m) + " rows";
      EXPECT_EQ(joined.names(), (std::vector<std::string>{"key", "value", "row", "price", "other_row"}));
      expect_same(on_host<std::int32_t>(joined, "row"), left_rows, what);
      expect_same(on_host<std::int32_t>(joined, "other_row"), right_rows, what);
      const auto prices = random_values(m, 8);
      std::vector<double> expected;
      for (const std::int32_t k : right_rows) expected.push_back(prices[static_cast<std::size_t>(k)]);
      expect_same(on_host<double>(joined, "price"), expected, what);
    }
}

TYPED_TEST(operations, filter_keeps_rows_in_their_order) {
  for (const std::size_t n : sizes) {
    const auto keys = random_keys<TypeParam>(n, 50, 9);
    std::vector<bool> flags(n);
    std::vector<TypeParam> expected;
    for (std::size_t i = 0; i < n; ++i) {
      flags[i] = i * 7 % 3 == 0;
      if (flags[i]) expected.push_back(keys[i]);
    }
    const gs::table kept = gs::filter(keyed_table(keys, random_values(n, 10)), on_device(flags));
    expect_same(on_host<TypeParam>(kept, "key"), expected, std::to_string(n) + " rows");
    EXPECT_EQ(kept.rows(), expected.size());
  }
}

TEST(group_by, of_one_large_group_has_the_same_bits_every_time) {
  const std::size_t n = 300'007;
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1.0f / static_cast<float>(i + 1);
  gs::table t;
  t.add("key", gs::to_device(std::vector<std::int8_t>(n, 3)));
  t.add("x", gs::to_device(x));
  double expected = 0;  // in pieces, as the documentation says
  for (std::size_t begin = 0; begin < n; begin += 1024) {
    double piece = static_cast<double>(x[begin]);
    for (std::size_t i = begin + 1; i < std::min(n, begin + 1024); ++i) piece += static_cast<double>(x[i]);
    expected = begin == 0 ? piece : expected + piece;
  }
  for (int run = 0; run < 3; ++run)
    EXPECT_EQ(gs::group_by(t, "key", {{"x", gs::aggregate::sum}}).column<double>("x_sum").copy_to_host(),
              std::vector<double>{expected});
}

TEST(group_by, hands_on_a_nan_of_the_values) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  gs::table t;
  t.add("key", gs::to_device(std::vector<int>{1, 1, 1, 2, 2, 3}));
  t.add("x", gs::to_device(std::vector<float>{1, nan, 3, 4, 5, nan}));
  const gs::table g = gs::group_by(
      t, "key",
      {{"x", gs::aggregate::sum}, {"x", gs::aggregate::mean}, {"x", gs::aggregate::min}, {"x", gs::aggregate::max}});
  expect_same<double>(on_host<double>(g, "x_sum"), {NAN, 9, NAN}, "sum");
  expect_same<double>(on_host<double>(g, "x_mean"), {NAN, 4.5, NAN}, "mean");
  expect_same<float>(on_host<float>(g, "x_min"), {nan, 4, nan}, "least");
  expect_same<float>(on_host<float>(g, "x_max"), {nan, 5, nan}, "greatest");
}

TEST(group_by, wraps_around_where_a_sum_has_no_room) {
  gs::table t;
  t.add("key", gs::to_device(std::vector<int>{1, 1}));
  t.add("x", gs::to_device(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 1}));
  EXPECT_EQ(gs::group_by(t, "key", {{"x", gs::aggregate::sum}}).column<std::int64_t>("x_sum").copy_to_host()[0],
            std::numeric_limits<std::int64_t>::min());
}

TEST(group_by, without_aggregations_is_the_different_keys) {
  gs::table t;
  t.add("key", gs::to_device(std::vector<double>{2, -1, 2, -1, 5}));
  const gs::table g = gs::group_by(t, "key", {});
  EXPECT_EQ(g.names(), std::vector<std::string>{"key"});
  EXPECT_EQ(g.column<double>("key").copy_to_host(), (std::vector<double>{-1, 2, 5}));
}

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(operations, refuse_what_they_cannot_do) {
  const gs::table t = keyed_table(std::vector<int>{1, 2, 3}, {4, 5, 6});
  gs::table other;
  other.add("key", gs::to_device(std::vector<float>{1}));
  EXPECT_EQ(error_of([&] { gs::filter(t, gs::device_array<bool>(2)); }),
            "filter of 3 rows: the flags' shape is (2,); give one flag for each row");
  EXPECT_EQ(error_of([&] { gs::sort_by(t, "kay"); }),
            "the column \"kay\": the table's columns are key, value, row; ask for a column that is there");
  EXPECT_EQ(error_of([&] { gs::group_by(t, "key", {{"price", gs::aggregate::sum}}); }),
            "the column \"price\": the table's columns are key, value, row; ask for a column that is there");
  EXPECT_EQ(error_of([&] { gs::group_by(t, "key", {{"", gs::aggregate::count}, {"", gs::aggregate::count}}); }),
            "a column \"count\": the table has a column of that name; give it another name");
  EXPECT_EQ(error_of([&] { gs::join(t, other, "key"); }),
            "a join by \"key\": the left key's type is int32, the right one's float32; convert one of the two");
  EXPECT_EQ(error_of([&] { gs::join(t, t, "key"); }),
            "a join by \"key\": both tables have a column \"value\"; rename one of the two, or select the columns that "
            "you need");
}

TEST(row_numbers, of_more_than_32_bits_are_refused) {
  EXPECT_EQ(error_of([] { gs::detail::check_row_count("filter", std::uint64_t{1} << 32); }),
            "filter: 4294967296 rows; work on at most 4294967295 rows at a time");
  EXPECT_NO_THROW(gs::detail::check_row_count("filter", (std::uint64_t{1} << 32) - 1));
}

}  // namespace
