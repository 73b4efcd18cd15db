// The tape's reductions and rearrangements: gradients beside plain loops, to the last bit where the numbers are chosen
// so that nothing is rounded, and beside central differences.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "tests/runtime/grad/agrees_with_differences.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::agrees_with_differences, runtime_test::numbers, runtime_test::refused;

// Small integers: their sums are exact.
template <class T>
std::vector<T> weights(std::size_t n) {
  std::vector<T> w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = static_cast<T>((i * 7 + 3) % 5);
  return w;
}
// A part of a larger array, so that it doesn't begin where its memory does.
template <class T>
gs::device_array<T> part(const std::vector<T>& elements, const gs::shape& extents) {
  std::vector<T> larger{T(-99)};
  larger.insert(larger.end(), elements.begin(), elements.end());
  larger.push_back(T(-99));
  return gs::to_device(larger).slice(1, 1 + elements.size()).reshape(extents);
}
template <class T>
gs::device_array<T> weights_of(const gs::shape& extents) {
  return part(weights<T>(extents.size()), extents);
}
// The gradient of the sum of result * weights.
template <class T, class Call>
std::vector<T> weighted_gradient(const Call& call, const gs::device_array<T>& x) {
  return gs::taped([&](auto& tape, auto v) {
           const auto result = call(tape, v);
           return tape.sum(result * weights_of<T>(result.shape()));
         })
      .grad(x)
      .copy_to_host();
}

// Shapes of (outer, length, inner) elements, reduced along the middle; the sizes stand in each place.
const std::vector<gs::shape> blocks = [] {
  std::vector<gs::shape> all;
  for (std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    all.push_back({std::size_t{1}, n, std::size_t{1}});
    all.push_back({std::size_t{2}, n, std::size_t{3}});
    all.push_back({std::size_t{3}, std::size_t{5}, n});
    all.push_back({n, std::size_t{4}, std::size_t{2}});
  }
  all.push_back({std::size_t{1}, std::size_t{100'000}, std::size_t{1}});
  all.push_back({std::size_t{2}, std::size_t{10'007}, std::size_t{3}});
  return all;
}();
const gs::axis middle(1);

// Calls check(first, step, length, column) for each column along the middle axis.
template <class Check>
void for_columns(const gs::shape& s, Check check) {
  for (std::size_t o = 0; o < s[0]; ++o)
    for (std::size_t i = 0; i < s[2]; ++i) check(o * s[1] * s[2] + i, s[2], s[1], o * s[2] + i);
}

template <class T>
void extremes_share_among_equals(const gs::shape& s) {
  if (s[1] == 0) return;  // refused: see below
  std::vector<T> x(s.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 11 % 13);
  const auto expect = [&](const auto& call, auto better) {
    std::vector<T> expected(x.size());
    const std::vector<T> w = weights<T>(s[0] * s[2]);
    for_columns(s, [&](std::size_t first, std::size_t step, std::size_t length, std::size_t column) {
      T best = x[first], count = 0;
      for (std::size_t k = 0; k < length; ++k) best = better(x[first + k * step], best) ? x[first + k * step] : best;
      for (std::size_t k = 0; k < length; ++k) count += x[first + k * step] == best ? T(1) : T(0);
      for (std::size_t k = 0; k < length; ++k)
        if (x[first + k * step] == best) expected[first + k * step] = w[column] / count;
    });
    EXPECT_EQ(weighted_gradient(call, part(x, s)), expected) << gs::to_string(s);
  };
  expect([](auto& tape, auto v) { return tape.max(v, middle); }, [](T a, T b) { return a > b; });
  expect([](auto& tape, auto v) { return tape.min(v, gs::axis(-2)); }, [](T a, T b) { return a < b; });
}

// Powers of two, whose products are exact, and zeros in some columns: none, one or two.
template <class T>
void products_are_right_with_zeros(const gs::shape& s) {
  std::vector<T> x(s.size());
  for_columns(s, [&](std::size_t first, std::size_t step, std::size_t length, std::size_t column) {
    for (std::size_t k = 0; k < length; ++k) x[first + k * step] = k % 2 == 0 ? T(2) : T(-0.5);
    if (length > 2 && column % 3 > 0) x[first + length / 2 * step] = 0;
    if (length > 2 && column % 3 > 1) x[first] = 0;
  });
  std::vector<T> expected(x.size());
  const std::vector<T> w = weights<T>(s[0] * s[2]);
  for_columns(s, [&](std::size_t first, std::size_t step, std::size_t length, std::size_t column) {
    std::size_t zeros = 0;
    T product = w[column];
    for (std::size_t k = 0; k < length; ++k) {
      const T number = x[first + k * step];
      if (number == 0)
        ++zeros;
      else
        product *= number;
    }
    for (std::size_t k = 0; k < length; ++k) {
      const T number = x[first + k * step];
      if (zeros == 0) expected[first + k * step] = product / number;
      if (zeros == 1 && number == 0) expected[first + k * step] = product;
    }
  });
  EXPECT_EQ(weighted_gradient([](auto& tape, auto v) { return tape.prod(v, middle); }, part(x, s)), expected)
      << gs::to_string(s);
}

template <class T>
void running_sums_come_back(const gs::shape& s) {
  std::vector<T> expected(s.size());
  const std::vector<T> w = weights<T>(s.size());
  for_columns(s, [&](std::size_t first, std::size_t step, std::size_t length, std::size_t) {
    T sum = 0;
    for (std::size_t k = length; k-- > 0;) expected[first + k * step] = sum += w[first + k * step];
  });
  EXPECT_EQ(weighted_gradient([](auto& tape, auto v) { return tape.cumsum(v, middle); }, weights_of<T>(s)), expected)
      << gs::to_string(s);
}

// Positions of both signs, some of them several times and some never, and all the same.
std::vector<int> positions_along(std::size_t length, std::size_t count) {
  std::vector<int> positions(count);
  const auto n = static_cast<int>(length);
  for (std::size_t k = 0; k < count; ++k) {
    const auto p = static_cast<int>(k * k % length);
    positions[k] = k % 3 == 2 ? p - n : p;
  }
  return positions;
}
template <class T>
void taken_elements_come_back(const gs::shape& s, const std::vector<int>& positions) {
  const auto w = runtime_test::numbers_between<T>(-1, 2, s[0] * positions.size() * s[2]);
  std::vector<double> sums(s.size());
  for (std::size_t o = 0; o < s[0]; ++o)
    for (std::size_t k = 0; k < positions.size(); ++k)
      for (std::size_t i = 0; i < s[2]; ++i) {
        const std::size_t p =
            positions[k] < 0 ? s[1] - static_cast<std::size_t>(-positions[k]) : static_cast<std::size_t>(positions[k]);
        sums[(o * s[1] + p) * s[2] + i] += static_cast<double>(w[(o * positions.size() + k) * s[2] + i]);
      }
  std::vector<T> expected(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) expected[i] = static_cast<T>(sums[i]);
  const auto at = part(positions, {positions.size()});
  const auto [value, gradient] = gs::taped([&](auto& tape, auto v) {
                                   return tape.take(v, at, middle);
                                 }).vjp(part(w, {s[0], positions.size(), s[2]}), weights_of<T>(s));
  EXPECT_EQ(gradient.copy_to_host(), expected) << gs::to_string(s) << ", " << positions.size() << " positions";
}

template <class T>
void joined_arrays_come_back(const gs::shape& s) {
  const auto constant = weights_of<T>({s[0], std::size_t{2}, s[2]});
  const auto [by_a, by_b] = gs::taped([&](auto& tape, auto a, auto b) {
                              const auto joined = tape.concatenate(middle, a, constant, b, a);
                              return tape.sum(joined * weights_of<T>(joined.shape()));
                            }).grad(weights_of<T>(s), weights_of<T>({s[0], std::size_t{3}, s[2]}));
  const std::size_t length = 2 * s[1] + 5;
  const std::vector<T> w = weights<T>(s[0] * length * s[2]);
  std::vector<T> of_a(s.size()), of_b(s[0] * 3 * s[2]);
  for (std::size_t o = 0; o < s[0]; ++o)
    for (std::size_t i = 0; i < s[2]; ++i) {
      const auto weight = [&](std::size_t k) { return w[(o * length + k) * s[2] + i]; };
      for (std::size_t k = 0; k < s[1]; ++k) of_a[(o * s[1] + k) * s[2] + i] = weight(k) + weight(s[1] + 5 + k);
      for (std::size_t k = 0; k < 3; ++k) of_b[(o * 3 + k) * s[2] + i] = weight(s[1] + 2 + k);
    }
  EXPECT_EQ(by_a.copy_to_host(), of_a) << gs::to_string(s);
  EXPECT_EQ(by_b.copy_to_host(), of_b) << gs::to_string(s);
}

template <class T>
void turned_arrays_come_back(const gs::shape& s) {
  const std::vector<T> w = weights<T>(s.size());
  std::vector<T> expected(s.size());
  for (std::size_t o = 0; o < s[0]; ++o)
    for (std::size_t k = 0; k < s[1]; ++k)
      for (std::size_t i = 0; i < s[2]; ++i) expected[(o * s[1] + k) * s[2] + i] = w[(k * s[2] + i) * s[0] + o];
  EXPECT_EQ(weighted_gradient([](auto& tape, auto v) { return tape.transpose(v, {1, 2, 0}); }, weights_of<T>(s)),
            expected)
      << gs::to_string(s);
}

}  // namespace

TEST(taped_arrays, share_the_gradient_of_an_extreme_among_equals) {
  for (const gs::shape& s : blocks) extremes_share_among_equals<float>(s), extremes_share_among_equals<double>(s);
  const auto x = gs::to_device(std::vector<float>{1, 7, 7, 2, 1, 7}).reshape({2, 3});
  const auto largest = gs::taped([](auto& tape, auto v) { return tape.max(v); });
  EXPECT_EQ(largest(x).copy_to_host()[0], 7);
  EXPECT_EQ(largest.grad(gs::to_device(std::vector<float>{1, 7, 7, 2, 1, 0})).copy_to_host(),
            (std::vector<float>{0, 0.5, 0.5, 0, 0, 0}));
  const auto smallest = gs::taped([](auto& tape, auto v) { return tape.min(v) * 3.0f; });
  EXPECT_EQ(smallest.grad(x).copy_to_host(), (std::vector<float>{1.5, 0, 0, 0, 1.5, 0}));
}

TEST(taped_arrays, give_nan_for_the_extreme_of_a_nan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto x = gs::to_device(std::vector<double>{1, nan, 3, 4}).reshape({2, 2});
  const std::vector<double> gradient =
      gs::taped([](auto& tape, auto v) { return tape.sum(tape.max(v, gs::axis(1))); }).grad(x).copy_to_host();
  EXPECT_TRUE(std::isnan(gradient[0]) && std::isnan(gradient[1]));
  EXPECT_EQ(gradient[2], 0);
  EXPECT_EQ(gradient[3], 1);
}

TEST(taped_arrays, differentiate_products_with_zeros) {
  for (const gs::shape& s : blocks) products_are_right_with_zeros<float>(s), products_are_right_with_zeros<double>(s);
  const auto product = gs::taped([](auto& tape, auto v) { return tape.prod(v); });
  const auto x = [](std::vector<double> v) { return gs::to_device(v).reshape({2, 2}); };
  EXPECT_EQ(product.grad(x({2, 3, 4, 5})).copy_to_host(), (std::vector<double>{60, 40, 30, 24}));
  EXPECT_EQ(product.grad(x({2, 0, 4, 5})).copy_to_host(), (std::vector<double>{0, 40, 0, 0}));
  EXPECT_EQ(product.grad(x({2, 0, 0, 5})).copy_to_host(), (std::vector<double>{0, 0, 0, 0}));
  const auto [one, none] = product.value_and_grad(gs::zeros<double>({0, 2}));
  EXPECT_EQ(one.copy_to_host()[0], 1);
  EXPECT_EQ(none.shape(), gs::shape({0, 2}));
}

TEST(taped_arrays, differentiate_running_sums) {
  for (const gs::shape& s : blocks) running_sums_come_back<float>(s), running_sums_come_back<double>(s);
  EXPECT_EQ(weighted_gradient([](auto& tape, auto v) { return tape.cumsum(v); }, gs::zeros<float>({2, 2})),
            (std::vector<float>{9, 6, 6, 4}));
}

TEST(taped_arrays, add_up_what_was_taken_to_the_same_bits) {
  for (const gs::shape& s : blocks) {
    for (std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{97}, 2 * s[1]}) {
      if (s[1] == 0 && count > 0) continue;
      const std::vector<int> positions = positions_along(s[1], count);
      taken_elements_come_back<float>(s, positions), taken_elements_come_back<double>(s, positions);
    }
    if (s[1] > 0) taken_elements_come_back<float>(s, std::vector<int>(1000, -1));
  }
  // In float the sum would stop at 2^24.
  const auto [value, gradient] = gs::taped([](auto& tape, auto v) {
                                   return tape.take(v, gs::zeros<std::uint8_t>({3}));
                                 }).vjp(gs::to_device(std::vector<float>{0x1p24f, 1, 1}), gs::ones<float>({1, 1}));
  EXPECT_EQ(gradient.copy_to_host(), (std::vector<float>{0x1p24f + 2}));
}

TEST(taped_arrays, cut_the_gradient_of_what_was_joined) {
  for (const gs::shape& s : blocks) joined_arrays_come_back<float>(s), joined_arrays_come_back<double>(s);
  const auto [by_a, by_b] = gs::taped([](auto& tape, auto a, auto b) {
                              const auto layers = tape.stack(a, gs::ones<float>({2}), b);
                              const auto rows = tape.concatenate(layers, layers);
                              return tape.sum(rows * weights_of<float>({6, 2}));
                            }).grad(gs::ones<float>({2}), gs::ones<float>({2}));
  // The weights are 3 0 2 4 1 3 0 2 4 1 3 0, in six rows.
  EXPECT_EQ(by_a.copy_to_host(), (std::vector<float>{3 + 0, 0 + 2}));
  EXPECT_EQ(by_b.copy_to_host(), (std::vector<float>{1 + 3, 3 + 0}));
}

TEST(taped_arrays, turn_the_gradient_of_a_transpose_back) {
  for (const gs::shape& s : blocks) turned_arrays_come_back<float>(s), turned_arrays_come_back<double>(s);
  EXPECT_EQ(weighted_gradient([](auto& tape, auto v) { return tape.transpose(v); }, gs::ones<float>({2, 3})),
            (std::vector<float>{3, 2, 1, 0, 4, 3}));
  EXPECT_EQ(
      gs::taped([](auto& tape, auto v) { return tape.transpose(v); }).grad(gs::full(gs::shape(), 2.0f)).copy_to_host(),
      (std::vector<float>{1}));
}

TEST(taped_arrays, agree_with_differences_together) {
  const auto at = gs::to_device(std::vector<std::int64_t>{3, -1, 0, 3}).reshape({2, 2});
  const auto model = gs::taped([&](auto& tape, auto x, auto y) {
    const auto rows = tape.concatenate(x, tape.transpose(y));
    const auto taken = tape.take(rows, at, gs::axis(0));
    const auto running = tape(gs::sin, tape.cumsum(taken, gs::axis(1)));
    const auto products = tape.prod(rows, gs::axis(0)) * tape.max(rows, gs::axis(0));
    return tape.sum(running * running) +
           tape.sum(tape.stack(products, tape.min(rows, gs::axis(-2)))) * tape.max(tape.take(y, at)) +
           tape.prod(tape.cumsum(y.slice(0, 1))) * tape.min(x) +
           tape.sum(tape.concatenate(gs::axis(1), x, y.slice(0, 2)));
  });
  agrees_with_differences(model, numbers({2, 3}), numbers({3, 2}, 0.5, 1.5));
}

TEST(taped_arrays, refuse_axes_shapes_and_positions) {
  const auto x = gs::ones<float>({2, 3});
  const auto refuses = [&](const auto& call, std::initializer_list<std::string> parts) {
    return refused([&] { gs::taped(call)(x), gs::synchronize(); }, parts);
  };
  const std::initializer_list<std::string> no_axis{"axis 2", "(2, 3)", "use an axis of -2 to 1"};
  const gs::axis two(2);
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.max(v, two); }, no_axis));
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.min(v, two); }, no_axis));
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.prod(v, two); }, no_axis));
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.cumsum(v, two); }, no_axis));
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.take(v, gs::zeros<int>({1}), two); }, no_axis));
  EXPECT_TRUE(refuses([&](auto& tape, auto v) { return tape.concatenate(two, v, v); }, no_axis));
  EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.transpose(v, {0, 2}); },
                      {"transpose an array of shape (2, 3)", "{0, 2}", "name each axis from 0 to 1 once"}));
  EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.concatenate(v, tape.transpose(v)); },
                      {"concatenate along axis 0", "(2, 3)", "array 2 has (3, 2)", "must be equal"}));
  EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.stack(v, v, gs::ones<float>({3})); },
                      {"stack arrays", "(2, 3)", "array 3 has (3,)", "gs::concatenate"}));
  EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.max(v.slice(0, 0)); }, {"(0, 3)", "0 elements"}));
  EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.min(v.slice(0, 0), gs::axis(0)); }, {"(0, 3)"}));
  if (gs::current_device() == gs::device_kind::engine) {
    EXPECT_TRUE(refuses([](auto& tape, auto v) { return tape.take(v, gs::full({1}, 6)); },
                        {"position 6 of an axis with 6 elements", "from -6 to 5"}));
  }
}

TEST(taped_arrays, refuse_what_was_overwritten_since) {
  const auto overwritten = [](const auto& call) {
    return [call] {
      auto x = numbers({2, 3});
      auto at = gs::zeros<int>({2});
      gs::taped([&](auto& tape, auto v) {
        const auto result = tape.sum(call(tape, v, at));
        gs::copysign(x, 1.0, gs::out(x)), gs::add(at, 1, gs::out(at));
        return result;
      }).grad(x);
    };
  };
  const std::string file = "tape_arrays_test.cpp:";
  constexpr int line = __LINE__;  // in an argument of a macro, compilers don't agree on it
  EXPECT_TRUE(refused(overwritten([](auto& tape, auto v, auto&) { return tape.max(v); }),
                      {file + std::to_string(line + 1), "shape (2, 3)", "overwritten since"}));
  EXPECT_TRUE(refused(overwritten([](auto& tape, auto v, auto&) { return tape.min(v, gs::axis(0)); }),
                      {file + std::to_string(line + 3), "shape (2, 3)"}));
  EXPECT_TRUE(refused(overwritten([](auto& tape, auto v, auto&) { return tape.prod(v); }),
                      {file + std::to_string(line + 5), "shape (6,)"}));
  EXPECT_TRUE(refused(overwritten([](auto& tape, auto v, auto& at) { return tape.take(v, at, gs::axis(1)); }),
                      {file + std::to_string(line + 7), "shape (2,)"}));
  // These need the shapes alone.
  EXPECT_NO_THROW(overwritten([](auto& tape, auto v, auto&) { return tape.cumsum(v); })());
  EXPECT_NO_THROW(overwritten([](auto& tape, auto v, auto&) { return tape.transpose(v); })());
  EXPECT_NO_THROW(overwritten([](auto& tape, auto v, auto&) { return tape.concatenate(v, v); })());
}

TEST(taped_arrays, copy_nothing_to_the_host) {
  const auto x = numbers({20, 30});
  const auto at = gs::arange(20);
  const gs::ledger_scope scope;
  gs::taped([&](auto& tape, auto v) {
    const auto rows = tape.stack(tape.max(v, gs::axis(0)), tape.prod(v, gs::axis(0)));
    return tape.sum(
        tape.concatenate(tape.transpose(tape.cumsum(rows)).reshape({2, 30}), tape.take(v, at, gs::axis(0))));
  }).grad(x);
  EXPECT_EQ(scope.account().copies_to_host + scope.account().copies_to_device, 0u);
}
