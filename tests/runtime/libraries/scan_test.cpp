// inclusive_sum and exclusive_sum against std::inclusive_scan and std::exclusive_scan.

#include "runtime/libraries/scan.h"

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

namespace scan_test {

using runtime_test::numbers;
using runtime_test::refused;

const std::vector<std::size_t> sizes{0, 1, 31, 32, 33, 1009, 4095, 4096, 4097, 150'001};

// Numbers whose sums are exact, also as floats: small integers of both signs.
template <class T>
std::vector<T> exact_numbers(std::size_t n) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<T>(static_cast<int>(i * 7919 % 41) - (std::is_signed_v<T> ? 20 : 0));
  return x;
}
template <class T>
std::vector<T> inclusive(const std::vector<T>& x) {
  std::vector<T> sums(x.size());
  std::inclusive_scan(x.begin(), x.end(), sums.begin());
  return sums;
}
template <class T>
std::vector<T> exclusive(const std::vector<T>& x) {
  std::vector<T> sums(x.size());
  std::exclusive_scan(x.begin(), x.end(), sums.begin(), T(0));
  return sums;
}

template <class T>
class scan : public testing::Test {};
using element_types = testing::Types<int, unsigned, long, std::uint64_t, float, double>;
TYPED_TEST_SUITE(scan, element_types);

TYPED_TEST(scan, agrees_with_the_standard_library_at_every_size) {
  for (const std::size_t n : sizes) {
    const auto x = exact_numbers<TypeParam>(n);
    const auto on_device = gs::to_device(x);
    EXPECT_EQ(gs::inclusive_sum(on_device).copy_to_host(), inclusive(x)) << n << " elements";
    EXPECT_EQ(gs::exclusive_sum(on_device).copy_to_host(), exclusive(x)) << n << " elements";
    EXPECT_EQ(on_device.copy_to_host(), x) << "the input is left alone";
  }
}

TYPED_TEST(scan, works_in_place) {
  for (const std::size_t n : sizes) {
    const auto x = exact_numbers<TypeParam>(n);
    auto in_place = gs::to_device(x), shifted = gs::to_device(x);
    gs::inclusive_sum(in_place, gs::out(in_place));
    gs::exclusive_sum(shifted, gs::out(shifted));
    EXPECT_EQ(in_place.copy_to_host(), inclusive(x)) << n << " elements";
    EXPECT_EQ(shifted.copy_to_host(), exclusive(x)) << n << " elements";
  }
}

TEST(scan_integers, wrap_around) {
  const std::vector<unsigned> x{4'000'000'000u, 500'000'000u, 1u};
  EXPECT_EQ(gs::inclusive_sum(gs::to_device(x)).copy_to_host(),
            (std::vector<unsigned>{4'000'000'000u, 205'032'704u, 205'032'705u}));
  const std::vector<int> y{std::numeric_limits<int>::max(), 1};
  EXPECT_EQ(gs::inclusive_sum(gs::to_device(y)).copy_to_host()[1], std::numeric_limits<int>::min());
}

// Each rounding is at most half a unit in the last place of a sum, and a sum is made of those within a piece, those of
// the pieces before, and one more.
TEST(scan_floats, are_as_near_as_their_roundings_allow) {
  const std::size_t n = 1'000'003;
  std::vector<float> x = numbers<float>(n, 1);
  for (float& one : x) one = std::abs(one);
  const auto sums = gs::inclusive_sum(gs::to_device(x)).copy_to_host();
  double exact = 0, worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    exact += static_cast<double>(x[i]);
    worst = std::max(worst, std::abs(static_cast<double>(sums[i]) - exact) / exact);
  }
  EXPECT_LT(worst, (4096 + n / 4096.0 + 1) * 0x1p-24);
}

TEST(scan_floats, of_numbers_that_are_not_negative_never_fall) {
  if (gs::current_device() != gs::device_kind::engine) GTEST_SKIP() << "CUB promises no order of additions";
  std::vector<float> x = numbers<float>(300'007, 2);
  for (float& one : x) one = std::abs(one);
  const auto sums = gs::inclusive_sum(gs::to_device(x)).copy_to_host();
  EXPECT_TRUE(std::ranges::is_sorted(sums));
}

TEST(scan_floats, keep_infinities_and_nans_to_themselves_and_what_follows) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x(10'000, 1);
  x[5000] = infinity;
  x[9000] = -infinity;
  const auto sums = gs::inclusive_sum(gs::to_device(x)).copy_to_host();
  EXPECT_EQ(sums[4999], 5000);
  EXPECT_EQ(sums[5000], infinity);
  EXPECT_EQ(sums[8999], infinity);
  EXPECT_TRUE(std::isnan(sums[9000]));
  EXPECT_TRUE(std::isnan(sums[9999]));
}

TEST(scan_slices, leave_the_rest_alone) {
  const auto x = exact_numbers<int>(1000);
  auto a = gs::to_device(x);
  gs::inclusive_sum(a.slice(100, 400), gs::out(a.slice(100, 400)));
  gs::exclusive_sum(a.slice(500, 700), gs::out(a.slice(800, 1000)));
  auto expected = x;
  std::inclusive_scan(x.begin() + 100, x.begin() + 400, expected.begin() + 100);
  std::exclusive_scan(x.begin() + 500, x.begin() + 700, expected.begin() + 800, 0);
  EXPECT_EQ(a.copy_to_host(), expected);
}

TEST(scan_streams, run_in_their_order) {
  const auto x = exact_numbers<long>(200'000);
  gs::stream s;
  auto a = gs::to_device(x);
  for (int k = 0; k < 3; ++k) gs::inclusive_sum(a, gs::out(a), {.stream = s});
  s.synchronize();
  EXPECT_EQ(a.copy_to_host(), inclusive(inclusive(inclusive(x))));
}

TEST(scan_ledger, counts_a_launch_and_the_new_array) {
  gs::select_device(gs::device_kind::engine);
  const auto x = gs::to_device(std::vector<float>(100));
  const gs::ledger_scope scope;
  const auto sums = gs::inclusive_sum(x);
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 1, .allocations = 1, .allocated_bytes = 400}));
}

TEST(scan_errors, say_what_is_wrong) {
  gs::device_array<float> x(10), y(9), matrix({2, 5});
  EXPECT_TRUE(refused([&] { (void)gs::inclusive_sum(matrix); },
                      {"inclusive_sum of an array of shape (2, 5)", "its rank is 2", "x.reshape({-1})"}));
  EXPECT_TRUE(refused([&] { gs::exclusive_sum(x, gs::out(y)); },
                      {"exclusive_sum of an array of shape (10,)", "the output's shape is (9,)", "of the same shape"}));
  EXPECT_TRUE(refused([&] { gs::inclusive_sum(x.slice(0, 5), gs::out(x.slice(3, 8))); },
                      {"shares a part of its memory with the input", "scan in place"}));
  const auto taken = std::move(x);
  EXPECT_TRUE(refused([&] { (void)gs::inclusive_sum(x); }, {"it was moved from"}));
}

}  // namespace scan_test
