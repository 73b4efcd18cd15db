// sort and sort_by_key against std::stable_sort with NumPy's order.

#include "runtime/libraries/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "tests/runtime/libraries/numbers.h"
#include "tests/runtime/refused.h"

namespace sort_test {

using runtime_test::numbers;
using runtime_test::refused;

#ifdef __SANITIZE_ADDRESS__  // split by several cores, and that's enough
const std::vector<std::size_t> sizes{0, 1, 2, 31, 32, 33, 1009, 65'537};
#else
const std::vector<std::size_t> sizes{0, 1, 2, 31, 32, 33, 1009, 65'537, 150'001};
#endif

// NumPy's order: NaNs after everything else.
template <class T>
bool precedes(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a < b || (b != b && a == a);
  return a < b;
}

// The same element: the sign of a zero counts, the bits of a NaN don't.
template <class T>
bool are_equal(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
  return a == b;
}
template <class T>
std::size_t differences(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return std::max(a.size(), b.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += !are_equal<T>(a[i], b[i]);
  return count;
}

template <class T>
std::vector<T> random_keys(std::size_t n) {
  std::mt19937_64 bits(n);
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t drawn = bits();
    if constexpr (std::is_same_v<T, bool>)
      keys[i] = drawn & 1;
    else if constexpr (std::is_integral_v<T>)
      keys[i] = static_cast<T>(drawn);
    else
      keys[i] = static_cast<T>(
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(drawn)), static_cast<int>(drawn % 64) - 96));
  }
  return keys;
}

template <class T>
std::vector<T> sorted(std::vector<T> x) {
  std::stable_sort(x.begin(), x.end(), precedes<T>);
  return x;
}
template <class T>
std::ptrdiff_t negative_zeros(const std::vector<T>& x) {
  return std::ranges::count_if(x, [](T value) { return value == 0 && std::signbit(value); });
}
// Zeros of both signs are equal to a sort without values, and come in either order.
template <class T>
void expect_sorted(const std::vector<T>& x) {
  auto computed = gs::sort(gs::to_device(x)).copy_to_host(), expected = sorted(x);
  if constexpr (std::is_floating_point_v<T>) {
    EXPECT_EQ(negative_zeros(computed), negative_zeros(expected)) << x.size() << " elements";
    for (auto* zeros : {&computed, &expected}) std::ranges::replace(*zeros, T(0), T(0));
  }
  EXPECT_EQ(differences(computed, expected), 0u) << x.size() << " elements";
}

template <class T>
class sort_tests : public testing::Test {};
using key_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, int, unsigned, long,
                                 unsigned long, long long, char, float, double>;
TYPED_TEST_SUITE(sort_tests, key_types);

TYPED_TEST(sort_tests, agrees_with_stable_sort) {
  for (const std::size_t n : sizes) expect_sorted(random_keys<TypeParam>(n));
}

TYPED_TEST(sort_tests, takes_what_is_sorted_reversed_or_equal) {
  for (const std::size_t n : {std::size_t{33}, std::size_t{100'003}}) {
    auto keys = sorted(random_keys<TypeParam>(n));
    expect_sorted(keys);
    std::ranges::reverse(keys);
    expect_sorted(keys);
    expect_sorted(std::vector<TypeParam>(n, TypeParam(7)));
  }
  std::vector<TypeParam> halves(65'536, TypeParam(9));  // in each of which nothing differs
  std::fill_n(halves.begin() + 32'768, 32'768, TypeParam(7));
  expect_sorted(halves);
}

// Most keys lie close together, most of these closer, and so on: a part of the first digit is split again, and again.
template <class T>
std::vector<T> gathered_keys(std::size_t n) {
  auto keys = random_keys<T>(n);
  std::mt19937_64 bits(n);
  for (T& key : keys) {
    const std::uint64_t drawn = bits();
    for (int shift = 0; shift < 60 && (drawn >> shift) % 8 != 0; shift += 6) key = static_cast<T>(key / 32);
  }
  return keys;
}

TYPED_TEST(sort_tests, takes_keys_that_gather) {
  for (const std::size_t n : sizes) expect_sorted(gathered_keys<TypeParam>(n));
}

TYPED_TEST(sort_tests, sorts_in_place) {
  for (const std::size_t n : sizes) {
    for (auto& keys : {random_keys<TypeParam>(n), gathered_keys<TypeParam>(n)}) {
      auto x = gs::to_device(keys);
      gs::sort(x, gs::out(x));
      EXPECT_EQ(differences(x.copy_to_host(), sorted(keys)), 0u) << n << " elements";
    }
  }
}

TYPED_TEST(sort_tests, leaves_its_input_alone) {
  const auto keys = random_keys<TypeParam>(50'000);
  const auto x = gs::to_device(keys);
  gs::sort(x);
  EXPECT_EQ(differences(x.copy_to_host(), keys), 0u);
}

TYPED_TEST(sort_tests, keeps_pairs_and_the_order_of_equal_keys) {
  for (const std::size_t n : sizes) {
    auto keys = gathered_keys<TypeParam>(n);
    for (auto& key : keys) key = static_cast<TypeParam>(std::fmod(static_cast<double>(key), 100.0));  // many are equal
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    const auto result = gs::sort_by_key(gs::to_device(keys), gs::to_device(order));
    std::ranges::stable_sort(order, [&](auto a, auto b) { return precedes(keys[a], keys[b]); });
    EXPECT_EQ(result.values.copy_to_host(), order) << n << " pairs";
    EXPECT_EQ(differences(result.keys.copy_to_host(), sorted(keys)), 0u) << n << " pairs";
  }
}

TEST(sort_bool, puts_false_first) {
  gs::device_array<bool> x(1000);
  std::vector<bool> given(1000);
  const auto keys = random_keys<bool>(1000);
  bool flat[1000];
  std::ranges::copy(keys, flat);
  x.copy_from_host(std::span<bool>(flat));
  gs::sort(x, gs::out(x));
  x.copy_to_host(std::span<bool>(flat));
  EXPECT_EQ(std::vector<bool>(flat, flat + 1000), sorted(keys));
}

template <class T>
class sort_floating : public testing::Test {};
using floating_types = testing::Types<float, double>;
TYPED_TEST_SUITE(sort_floating, floating_types);

// NaNs of both signs and other bits, both zeros, both infinities, the smallest and the largest numbers.
template <class T>
std::vector<T> special_keys(std::size_t n) {
  using limits = std::numeric_limits<T>;
  const T nan = limits::quiet_NaN(), infinity = limits::infinity();
  const T of[] = {nan,
                  -nan,
                  T(0),
                  T(-0.0),
                  infinity,
                  -infinity,
                  limits::denorm_min(),
                  -limits::denorm_min(),
                  limits::max(),
                  limits::lowest(),
                  limits::min(),
                  T(1),
                  T(-1),
                  static_cast<T>(std::nan("17"))};
  std::mt19937 bits(5);
  std::vector<T> keys(n);
  for (T& x : keys) x = of[bits() % std::size(of)];
  return keys;
}

TYPED_TEST(sort_floating, puts_nans_last_and_keeps_both_zeros) {
  for (const std::size_t n : sizes) expect_sorted(special_keys<TypeParam>(n));
}

TYPED_TEST(sort_floating, keeps_pairs_of_nans_and_zeros_in_order) {
  for (const std::size_t n : {std::size_t{33}, std::size_t{100'003}}) {
    const auto keys = special_keys<TypeParam>(n);
    std::vector<std::int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    const auto result = gs::sort_by_key(gs::to_device(keys), gs::to_device(order));
    std::ranges::stable_sort(order, [&](auto a, auto b) {
      return precedes(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
    EXPECT_EQ(result.values.copy_to_host(), order);
    EXPECT_EQ(differences(result.keys.copy_to_host(), sorted(keys)), 0u);
  }
}

template <class V>
class sort_values : public testing::Test {};
using value_types = testing::Types<std::int8_t, std::int16_t, float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(sort_values, value_types);

TYPED_TEST(sort_values, of_every_size_stay_with_their_keys) {
  for (const std::size_t n : {0, 1, 33, 70'001}) {
    const auto keys = numbers<float>(n, 1);
    const auto small_keys = random_keys<std::uint8_t>(n);
    std::vector<TypeParam> values(n);
    if constexpr (std::is_integral_v<TypeParam>)
      values = random_keys<TypeParam>(n);
    else
      values = numbers<TypeParam>(n, 2);
    const auto check = [&]<class K>(const std::vector<K>& by, bool in_place) {
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), 0u);
      std::ranges::stable_sort(order, [&](auto a, auto b) { return by[a] < by[b]; });
      std::vector<TypeParam> expected(n);
      std::ranges::transform(order, expected.begin(), [&](auto i) { return values[i]; });
      auto k = gs::to_device(by);
      auto v = gs::to_device(values);
      if (in_place) {
        gs::sort_by_key(k, v, gs::out(k), gs::out(v));
        EXPECT_EQ(v.copy_to_host(), expected) << n << " pairs, in place";
      } else {
        const auto moved = gs::device_array_like(k);
        gs::sort_by_key(k, v, gs::out(k), gs::out(v));
        EXPECT_EQ(v.copy_to_host(), expected) << n << " pairs";
      }
      EXPECT_EQ(k.copy_to_host(), sorted(by));
    };
    check(keys, true);
    check(small_keys, true);
    // One output in place, the other not.
    auto k = gs::to_device(small_keys);
    auto v = gs::to_device(values);
    auto k_out = gs::device_array_like(k);
    gs::sort_by_key(k, v, gs::out(k_out), gs::out(v));
    EXPECT_EQ(v.copy_to_host(), gs::sort_by_key(k, gs::to_device(values)).values.copy_to_host());
    EXPECT_EQ(k_out.copy_to_host(), sorted(small_keys));
  }
}

TEST(sort_streams, sort_side_by_side) {
  const auto keys = random_keys<float>(200'000);
  const auto x = gs::to_device(keys);
  gs::stream first, second;
  std::vector<gs::device_array<float>> results;
  for (int i = 0; i < 8; ++i) results.push_back(gs::sort(x, {.stream = i % 2 ? first : second}));
  first.synchronize(), second.synchronize();
  const auto expected = sorted(keys);
  for (const auto& result : results) EXPECT_EQ(result.copy_to_host(), expected);
}

TEST(sort_slices, leave_the_rest_alone) {
  const auto keys = random_keys<int>(1000);
  auto x = gs::to_device(keys);
  gs::sort(x.slice(100, 400), gs::out(x.slice(100, 400)));
  gs::sort(x.slice(500, 700), gs::out(x.slice(800, 1000)));
  auto expected = keys;
  std::sort(expected.begin() + 100, expected.begin() + 400);
  std::copy(keys.begin() + 500, keys.begin() + 700, expected.begin() + 800);
  std::sort(expected.begin() + 800, expected.end());
  EXPECT_EQ(x.copy_to_host(), expected);
}

TEST(sort_ledger, counts_a_launch_and_its_temporary_arrays) {
  gs::select_device(gs::device_kind::engine);
  auto x = gs::to_device(std::vector<float>(100));
  auto v = gs::to_device(std::vector<double>(100));
  const gs::ledger_scope scope;
  gs::sort(x, gs::out(x));
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 1, .allocations = 1, .allocated_bytes = 400}));
  gs::sort_by_key(x, v, gs::out(x), gs::out(v));
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 2, .allocations = 3, .allocated_bytes = 1600}));
}

TEST(sort_errors, say_what_is_wrong) {
  gs::device_array<float> x(10), y(9), matrix({2, 5});
  gs::device_array<int> v(10), w(9);
  EXPECT_TRUE(
      refused([&] { gs::sort(matrix); }, {"sort of an array of shape (2, 5)", "its rank is 2", "x.reshape({-1})"}));
  EXPECT_TRUE(refused([&] { gs::sort(x, gs::out(y)); },
                      {"sort of an array of shape (10,)", "the output's shape is (9,)", "of the same shape"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, w); },
                      {"sort_by_key of 10 keys and 9 values", "their numbers differ", "one value for each key"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, v, gs::out(x), gs::out(w)); },
                      {"sort_by_key of an array of shape (10,)", "the output's shape is (9,)"}));
  EXPECT_TRUE(refused([&] { gs::sort(x.slice(0, 5), gs::out(x.slice(3, 8))); },
                      {"shares a part of its memory with another array", "sort in place"}));
  gs::device_array<float> values(10);
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, values, gs::out(values), gs::out(x)); }, {"shares a part"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, values, gs::out(x), gs::out(x)); }, {"shares a part"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, x, gs::out(x), gs::out(values)); }, {"shares a part"}));
}

TEST(sort_errors, refuse_what_was_moved_from) {
  gs::device_array<float> x(10), y(10);
  const auto taken = std::move(x);
  EXPECT_TRUE(refused([&] { gs::sort(x); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::sort(y, gs::out(x)); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(y, x); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::sort_by_key(x, y); }, {"it was moved from"}));
}

}  // namespace sort_test
