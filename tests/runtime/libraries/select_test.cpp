// select_flagged against std::copy_if.

#include "runtime/libraries/select.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "tests/runtime/libraries/numbers.h"
#include "tests/runtime/refused.h"

namespace select_test {

using runtime_test::numbers;
using runtime_test::refused;

const std::vector<std::size_t> sizes{0, 1, 31, 32, 33, 1009, 16'383, 16'384, 16'385, 150'001};

std::vector<std::uint8_t> random_flags(std::size_t n, unsigned of_eight) {
  std::mt19937 bits(n);
  std::vector<std::uint8_t> flags(n);
  for (auto& flag : flags) flag = bits() % 8 < of_eight ? static_cast<std::uint8_t>(1 + bits() % 255) : 0;
  return flags;
}
template <class T>
std::vector<T> flagged(const std::vector<T>& x, const std::vector<std::uint8_t>& flags) {
  std::vector<T> expected;
  std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
               [&, i = std::size_t{0}](const T&) mutable { return flags[i++] != 0; });
  return expected;
}

template <class T>
class select : public testing::Test {};
using element_types = testing::Types<std::int8_t, std::int16_t, int, float, double, std::complex<double>>;
TYPED_TEST_SUITE(select, element_types);

TYPED_TEST(select, agrees_with_copy_if_at_every_size) {
  for (const std::size_t n : sizes) {
    std::vector<TypeParam> x(n);
    if constexpr (std::is_integral_v<TypeParam>)
      for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<TypeParam>(i * 7919);
    else
      x = numbers<TypeParam>(n, 1);
    const auto on_device = gs::to_device(x);
    for (const unsigned of_eight : {0u, 1u, 4u, 7u, 8u}) {
      const auto flags = random_flags(n, of_eight);
      EXPECT_EQ(gs::select_flagged(on_device, gs::to_device(flags)).copy_to_host(), flagged(x, flags))
          << n << " elements, flags " << of_eight << " of 8";
    }
  }
}

TEST(select_into_an_array, leaves_what_lies_behind_and_counts) {
  const auto x = gs::to_device(std::vector<int>{5, 6, 7, 8});
  const auto flags = gs::to_device(std::vector<std::uint8_t>{0, 1, 0, 1});
  auto out = gs::to_device(std::vector<int>{-1, -1, -1, -1});
  gs::device_array<std::uint64_t> count(1);
  gs::stream s;
  gs::select_flagged(x, flags, gs::out(out), gs::out(count), {.stream = s});
  s.synchronize();
  EXPECT_EQ(out.copy_to_host(), (std::vector<int>{6, 8, -1, -1}));
  EXPECT_EQ(count.copy_to_host()[0], 2u);
  const gs::device_array<int> empty(0);
  gs::device_array<int> to(0);
  gs::select_flagged(empty, gs::device_array<std::uint8_t>(0), gs::out(to), gs::out(count));
  EXPECT_EQ(count.copy_to_host()[0], 0u) << "a count of nothing is written, too";
}

TEST(select_flagged, takes_bools_and_slices) {
  const auto x = gs::to_device(std::vector<float>{1, 2, 3, 4, 5, 6});
  gs::device_array<bool> flags(6);
  const bool flags_wanted[] = {true, false, true, true, false, true};
  flags.copy_from_host(std::span<const bool>(flags_wanted));
  EXPECT_EQ(gs::select_flagged(x.slice(1, 5), flags.slice(1, 5)).copy_to_host(), (std::vector<float>{3, 4}));
}

TEST(select_ledger, counts_one_launch_and_the_copy_of_the_count) {
  gs::select_device(gs::device_kind::engine);
  const auto x = gs::to_device(std::vector<float>(100));
  const auto flags = gs::to_device(std::vector<std::uint8_t>(100));
  const gs::ledger_scope scope;
  const auto kept = gs::select_flagged(x, flags);
  EXPECT_EQ(scope.account().launches, 1u);
  EXPECT_EQ(scope.account().bytes_to_host, 8u);
}

TEST(select_errors, say_what_is_wrong) {
  gs::device_array<float> x(10), y(9), matrix({2, 5});
  gs::device_array<std::uint8_t> flags(10), few(9), square({2, 5});
  gs::device_array<std::uint64_t> count(1), two(2);
  EXPECT_TRUE(refused([&] { (void)gs::select_flagged(matrix, square); },
                      {"select_flagged of an array of shape (2, 5)", "its rank is 2", "x.reshape({-1})"}));
  EXPECT_TRUE(refused([&] { (void)gs::select_flagged(x, few); },
                      {"of shape (10,)", "the flags' shape is (9,)", "one flag for each element"}));
  EXPECT_TRUE(refused([&] { gs::select_flagged(x, flags, gs::out(y), gs::out(count)); },
                      {"the output's shape is (9,)", "all may be selected"}));
  EXPECT_TRUE(refused([&] { gs::select_flagged(x, flags, gs::out(x), gs::out(count)); },
                      {"an output shares memory with another array", "outputs of their own"}));
  gs::device_array<float> out(10);
  EXPECT_TRUE(refused([&] { gs::select_flagged(x, flags, gs::out(out), gs::out(two)); },
                      {"the count's shape is (2,)", "an array of one element"}));
  const auto taken = std::move(x);
  EXPECT_TRUE(refused([&] { (void)gs::select_flagged(x, flags); }, {"it was moved from"}));
}

}  // namespace select_test
