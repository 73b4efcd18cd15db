// Operators, reductions, new arrays and rearranged ones, each against a plain loop.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/refused.h"

using runtime_test::agrees, runtime_test::numbers_between, runtime_test::refused;

namespace {

template <class T>
std::vector<T> host(const gs::device_array<T>& x) {
  return x.copy_to_host();
}
template <class T>
T value(const gs::device_array<T>& x) {
  EXPECT_EQ(x.rank(), 0u);
  return x.copy_to_host()[0];
}
// 0, 1, 2, ... in that shape.
gs::device_array<float> counted(std::initializer_list<std::ptrdiff_t> extents) {
  std::size_t n = 1;
  for (auto extent : extents) n *= static_cast<std::size_t>(extent);
  std::vector<float> x(n);
  std::iota(x.begin(), x.end(), 0.0f);
  return gs::to_device(x).reshape(extents);
}

}  // namespace

TEST(operators, are_ufuncs_of_arrays_and_numbers) {
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<float>(1, 2, n), y = numbers_between<float>(3, 4, n);
    const auto a = gs::to_device(x), b = gs::to_device(y);
    EXPECT_TRUE(agrees(host(a + b), n, [&](std::size_t i) { return x[i] + y[i]; }, 0));
    EXPECT_TRUE(agrees(host(a - b), n, [&](std::size_t i) { return x[i] - y[i]; }, 0));
    EXPECT_TRUE(agrees(host(a * 2.0f), n, [&](std::size_t i) { return x[i] * 2; }, 0));
    EXPECT_TRUE(agrees(host(1.0f / a), n, [&](std::size_t i) { return 1 / x[i]; }, 0));
    EXPECT_TRUE(agrees(host(-a), n, [&](std::size_t i) { return -x[i]; }, 0));
    EXPECT_TRUE(agrees(host(b % a), n, [&](std::size_t i) { return std::fmod(y[i], x[i]); }, 0));
    EXPECT_TRUE(agrees(host(a < 1.5f), n, [&](std::size_t i) { return x[i] < 1.5f; }, 0));
    EXPECT_TRUE(agrees(host(a <= b), n, [&](std::size_t) { return 1; }, 0));
    EXPECT_TRUE(agrees(host(a > 1.5f), n, [&](std::size_t i) { return x[i] > 1.5f; }, 0));
    EXPECT_TRUE(agrees(host(a >= b), n, [&](std::size_t) { return 0; }, 0));
  }
}

TEST(operators, that_assign_make_no_array) {
  auto x = gs::to_device(std::vector<float>{1, 2, 3});
  const auto y = gs::to_device(std::vector<float>{4, 5, 6});
  const gs::ledger_scope scope;
  x += y;
  x *= 2.0f;
  x -= 1.0f;
  x /= y;
  EXPECT_EQ(scope.account().allocations, 0u);
  EXPECT_EQ(scope.account().launches, 4u);
  EXPECT_EQ(host(x), (std::vector<float>{9.0f / 4, 13.0f / 5, 17.0f / 6}));
  EXPECT_TRUE(refused([&] { x += gs::to_device(std::vector<float>(6)).reshape({2, 3}); }, {"(2, 3)", "(3,)"}));
}

TEST(operators, make_a_counted_temporary_each) {
  const auto x = gs::to_device(std::vector<float>(1000, 2));
  const gs::ledger_scope scope;
  const auto y = -(x * x) + 2.0f * x;
  EXPECT_EQ(scope.account().launches, 4u);
  EXPECT_EQ(scope.account().allocations, 4u);
  EXPECT_EQ(host(y), std::vector<float>(1000, 0));
}

TEST(reductions, agree_with_a_plain_loop_at_every_size) {
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<double>(-1, 3, n);
    const auto d = gs::to_device(x);
    double sum = 0, squares = 0, product = 1;
    for (double v : x) sum += v, product *= v;
    const double mean = sum / static_cast<double>(n);
    for (double v : x) squares += (v - mean) * (v - mean);
    EXPECT_NEAR(value(gs::sum(d)), sum, 1e-9 * (1 + std::fabs(sum)));
    EXPECT_NEAR(value(gs::prod(d)), product, 1e-9 * std::fabs(product));
    EXPECT_EQ(value(gs::any(d)), n > 0);
    EXPECT_EQ(value(gs::all(d)), 1);
    EXPECT_EQ(value(gs::count_nonzero(d)), static_cast<std::int64_t>(n));
    if (n == 0) {
      EXPECT_TRUE(std::isnan(value(gs::mean(d))));
      EXPECT_TRUE(refused([&] { gs::max(d); }, {"0 elements"}));
      EXPECT_TRUE(refused([&] { gs::argmax(d); }, {"0 elements"}));
      continue;
    }
    EXPECT_NEAR(value(gs::mean(d)), mean, 1e-12);
    EXPECT_NEAR(value(gs::var(d)), squares / static_cast<double>(n), 1e-10);
    if (n > 1) {
      EXPECT_NEAR(value(gs::var(d, 1)), squares / static_cast<double>(n - 1), 1e-10);
    }
    const auto largest = std::ranges::max_element(x), smallest = std::ranges::min_element(x);
    EXPECT_EQ(value(gs::max(d)), *largest);
    EXPECT_EQ(value(gs::min(d)), *smallest);
    EXPECT_EQ(value(gs::ptp(d)), *largest - *smallest);
    EXPECT_EQ(value(gs::argmax(d)), largest - x.begin());
    EXPECT_EQ(value(gs::argmin(d)), smallest - x.begin());
  }
}

TEST(reductions, run_along_an_axis) {
  const auto x = counted({2, 3, 4});
  EXPECT_EQ(host(gs::sum(x, gs::axis(1))), (std::vector<float>{12, 15, 18, 21, 48, 51, 54, 57}));
  EXPECT_EQ(host(gs::max(x, gs::axis(-1))), (std::vector<float>{3, 7, 11, 15, 19, 23}));
  EXPECT_EQ(host(gs::min(x, gs::axis(0))), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(host(gs::mean(x, gs::axis(2))), (std::vector<float>{1.5f, 5.5f, 9.5f, 13.5f, 17.5f, 21.5f}));
  EXPECT_EQ(host(gs::var(x, gs::axis(0))), std::vector<float>(12, 36));
  EXPECT_EQ(host(gs::var(x, gs::axis(1), 1)), std::vector<float>(8, 16));
  EXPECT_EQ(host(gs::prod(counted({2, 2}), gs::axis(0))), (std::vector<float>{0, 3}));
  EXPECT_EQ(host(gs::argmax(x, gs::axis(1))), std::vector<std::int64_t>(8, 2));
  EXPECT_EQ(host(gs::argmin(x, gs::axis(2))), std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(host(gs::any(x, gs::axis(0))), std::vector<gs::truth>(12, 1));
  EXPECT_EQ(host(gs::all(x, gs::axis(2))), (std::vector<gs::truth>{0, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(refused([&] { gs::mean(x, gs::axis(3)); }, {"axis 3"}));
}

TEST(reductions, find_the_first_of_equals_and_nan_before_all) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(value(gs::argmax(gs::to_device(std::vector<float>{1, 5, 5, 2}))), 1);
  EXPECT_EQ(value(gs::argmin(gs::to_device(std::vector<float>{1, 0, 5, 0}))), 1);
  EXPECT_EQ(value(gs::argmax(gs::to_device(std::vector<float>{1, nan, 5, nan}))), 1);
  EXPECT_EQ(value(gs::argmin(gs::to_device(std::vector<float>{1, nan, 0, nan}))), 1);
  EXPECT_EQ(value(gs::argmax(gs::to_device(std::vector<int>{3, 9, 4}).reshape({3, 1}))), 1);
}

TEST(reductions, run_along_with_their_results) {
  const auto x = counted({2, 3});
  EXPECT_EQ(host(gs::cumsum(x)), (std::vector<float>{0, 1, 3, 6, 10, 15}));
  EXPECT_EQ(host(gs::cumsum(x, gs::axis(0))), (std::vector<float>{0, 1, 2, 3, 5, 7}));
  EXPECT_EQ(host(gs::cumprod(x + 1.0f)), (std::vector<float>{1, 2, 6, 24, 120, 720}));
  EXPECT_EQ(host(gs::cumprod(x, gs::axis(1))), (std::vector<float>{0, 0, 0, 3, 12, 60}));
}

TEST(new_arrays, hold_what_their_names_say) {
  const gs::ledger_scope scope;
  const auto x = gs::arange(0.0f, 1.0f, 0.25f);
  EXPECT_EQ(scope.account().copies_to_device, 0u);
  EXPECT_EQ(host(x), (std::vector<float>{0, 0.25f, 0.5f, 0.75f}));
  EXPECT_EQ(host(gs::arange(5)), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(host(gs::arange(10, 0, -3)), (std::vector<int>{10, 7, 4, 1}));
  EXPECT_EQ(host(gs::arange<std::int8_t>(-128, 127, 127)), (std::vector<std::int8_t>{-128, -1, 126}));
  EXPECT_EQ(host(gs::arange(3, 3)), std::vector<int>{});
  EXPECT_EQ(host(gs::arange(3, 1)), std::vector<int>{});
  EXPECT_TRUE(refused([] { gs::arange(0, 3, 0); }, {"arange from 0 to 3", "step is 0", "give a step"}));
  EXPECT_EQ(host(gs::linspace(0.0, 1.0, 5)), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(host(gs::linspace(2.0f, 3.0f, 1)), std::vector<float>{2});
  EXPECT_EQ(host(gs::linspace(2.0f, 3.0f, 0)), std::vector<float>{});
  EXPECT_EQ(host(gs::linspace(0.0f, 0.7f, 1009)).back(), 0.7f);
  EXPECT_EQ(host(gs::zeros<int>({2, 2})), std::vector<int>(4, 0));
  EXPECT_EQ(host(gs::ones<double>(3)), std::vector<double>(3, 1));
  EXPECT_EQ(host(gs::full({3}, 1.5f)), std::vector<float>(3, 1.5f));
  EXPECT_EQ(gs::to_string(gs::zeros_like(counted({2, 3})).shape()), "(2, 3)");
  EXPECT_EQ(host(gs::ones_like(counted({2}))), std::vector<float>(2, 1));
  EXPECT_EQ(host(gs::full_like(counted({2}), 7)), std::vector<float>(2, 7));
  EXPECT_EQ(host(gs::eye<float>(3)), (std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(rearranged_arrays, are_joined_along_an_axis) {
  const auto a = counted({2, 3}), b = counted({2, 2}) * 10.0f;
  EXPECT_EQ(host(gs::concatenate(gs::axis(1), a, b)), (std::vector<float>{0, 1, 2, 0, 10, 3, 4, 5, 20, 30}));
  EXPECT_EQ(host(gs::concatenate(counted({2}), counted({0}), counted({3}))), (std::vector<float>{0, 1, 0, 1, 2}));
  EXPECT_EQ(gs::to_string(gs::concatenate(a, a, a).shape()), "(6, 3)");
  EXPECT_TRUE(refused([&] { gs::concatenate(a, b); },
                      {"concatenate along axis 0", "(2, 3)", "array 2 has (2, 2)", "must be equal"}));
  EXPECT_EQ(host(gs::stack(counted({2}), counted({2}) + 5.0f)), (std::vector<float>{0, 1, 5, 6}));
  EXPECT_EQ(gs::to_string(gs::stack(a, a).shape()), "(2, 2, 3)");
  EXPECT_TRUE(refused([&] { gs::stack(a, b); }, {"stack arrays", "array 2 has (2, 2)", "concatenate"}));
}

TEST(rearranged_arrays, are_transposed_by_a_copy) {
  EXPECT_EQ(host(gs::transpose(counted({2, 3}))), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(gs::to_string(gs::transpose(counted({2, 3, 4})).shape()), "(4, 3, 2)");
  const auto x = counted({2, 3, 4});
  const auto y = gs::transpose(x, {1, 0, 2});
  EXPECT_EQ(gs::to_string(y.shape()), "(3, 2, 4)");
  const auto elements = host(y);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(elements[(i * 2 + j) * 4 + k], static_cast<float>((j * 3 + i) * 4 + k));
  const auto large = counted({317, 211});
  const auto turned = host(gs::transpose(large));
  for (std::size_t i = 0; i < 211; ++i)
    for (std::size_t j = 0; j < 317; ++j) ASSERT_EQ(turned[i * 317 + j], static_cast<float>(j * 211 + i));
  EXPECT_EQ(host(gs::transpose(counted({3}))), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(gs::transpose(gs::full(gs::shape(), 2.0f)).rank(), 0u);
  EXPECT_EQ(gs::transpose(counted({0, 3})).size(), 0u);
  EXPECT_TRUE(refused([&] { gs::transpose(x, {0, 0, 1}); }, {"(2, 3, 4)", "{0, 0, 1}", "from 0 to 2 once"}));
  EXPECT_TRUE(refused([&] { gs::transpose(gs::full(gs::shape(), 2.0f), {0}); }, {"{0}", "a scalar has no axis"}));
}

TEST(rearranged_arrays, are_taken_by_position) {
  const auto x = counted({2, 3, 2});
  const auto at = [](std::vector<int> p) { return gs::to_device(p); };
  EXPECT_EQ(host(gs::take(x, at({0, -1}))), (std::vector<float>{0, 11}));
  EXPECT_EQ(host(gs::take(x, at({2, 0}), gs::axis(1))), (std::vector<float>{4, 5, 0, 1, 10, 11, 6, 7}));
  EXPECT_EQ(gs::to_string(gs::take(x, at({0, 1, 1, 0}).reshape({2, 2}), gs::axis(1)).shape()), "(2, 2, 2, 2)");
  EXPECT_EQ(gs::take(x, at({}), gs::axis(0)).size(), 0u);
  if (gs::current_device() == gs::device_kind::engine) {
    EXPECT_TRUE(refused([&] { gs::take(x, at({2}), gs::axis(0)), gs::synchronize(); },
                        {"take elements by position", "position 2 of an axis with 2 elements", "from -2 to 1"}));
    EXPECT_TRUE(refused([&] { gs::take(x, at({-3}), gs::axis(0)), gs::synchronize(); }, {"position -3"}));
    EXPECT_TRUE(refused([&] { gs::take(counted({0}), at({0})), gs::synchronize(); },
                        {"position 0 of an axis with no elements", "give no positions"}));
  }
}
