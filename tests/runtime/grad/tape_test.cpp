// Gradients of functions of arrays, beside central differences in float64 and analytic values.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/grad/check_gradient.h"
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::numbers_between, runtime_test::refused;

gs::device_array<double> numbers(const gs::shape& extents, double low = -1, double high = 2) {
  return gs::to_device(numbers_between<double>(low, high, extents.size())).reshape(extents);
}

// Every gradient that `model` has, beside the differences of its value when one element moves.
template <class Model, class... X>
void agrees_with_differences(const Model& model, const X&... x) {
  const auto result = model.value_and_grad(x...);
  const auto arrays = std::tie(x...);
  const auto check = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    const std::vector<double> start = std::get<K>(arrays).copy_to_host(),
                              gradient = std::get<K + 1>(result).copy_to_host();
    ASSERT_EQ(std::get<K + 1>(result).shape(), std::get<K>(arrays).shape());
    for (std::size_t i = 0; i < start.size(); ++i) {
      const auto value = [&](double moved) {
        std::vector<double> elements = start;
        elements[i] = moved;
        const auto copy = gs::to_device(elements).reshape(std::get<K>(arrays).shape());
        return [&]<std::size_t... J>(std::index_sequence<J...>) {
          const auto pick = [&]<std::size_t L>(std::integral_constant<std::size_t, L>) -> const auto& {
            if constexpr (L == K)
              return copy;
            else
              return std::get<L>(arrays);
          };
          return std::get<0>(model.value_and_grad(pick(std::integral_constant<std::size_t, J>())...)).copy_to_host()[0];
        }(std::index_sequence_for<X...>());
      };
      const double expected = gs::detail::central_difference(value, start[i]);
      EXPECT_NEAR(gradient[i], expected, 1e-7 * std::fmax(1, std::fabs(expected)))
          << "array " << K << ", element " << i;
    }
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (check(std::integral_constant<std::size_t, K>()), ...);
  }(std::index_sequence_for<X...>());
}

}  // namespace

TEST(taped, differentiates_ufuncs_operators_and_broadcasting) {
  const auto weights = numbers({3});
  const auto model = gs::taped([&](auto& tape, auto x, auto y, auto z) {
    const auto s = tape(gs::tanh, x * y + 2.0 * z) / (1.5 + tape(gs::square, y)) - weights;
    return tape.sum(-s * tape(gs::exp, x)) + tape.mean(tape(gs::maximum, x, 0.1)) +
           tape.sum(tape(gs::clip, z, 0.0, 1.0));
  });
  agrees_with_differences(model, numbers({4, 3}), numbers({1, 3}), numbers({4, 1}, -0.3, 0.7));
}

TEST(taped, differentiates_products_reductions_slices_and_reshapes) {
  const auto model = gs::taped([](auto& tape, auto a, auto b) {
    const auto product = tape.gemm(a, b);
    const auto rows = tape.sum(product, gs::axis(1)), columns = tape.mean(product, gs::axis(0));
    const auto turned = product.reshape({-1}).slice(1, 7);
    return tape.sum(rows * rows) + tape.sum(tape(gs::sin, columns)) + tape.sum(turned * turned.slice(0, 1));
  });
  agrees_with_differences(model, numbers({4, 3}), numbers({3, 2}));
}

TEST(taped, takes_constants_of_any_type) {
  const auto x = numbers({5});
  const auto mask = gs::less(x, 0.5);
  const auto noise = gs::uniform<double>({5}, 3);
  const auto matrix = numbers({5, 2});
  const auto model = gs::taped([&](auto& tape, auto v) {
    const auto chosen = tape(gs::where, mask, v * noise, noise);
    return tape.sum(tape.gemm(chosen.reshape({1, 5}), matrix));
  });
  agrees_with_differences(model, x);
}

TEST(taped, takes_the_way_of_an_if) {
  const auto model = gs::taped([](auto& tape, auto x) {
    if (gs::sum(x.value()).copy_to_host()[0] > 0) return tape.sum(x);
    return tape.sum(x * 3.0);
  });
  EXPECT_EQ(model.grad(numbers({2}, 1, 2)).copy_to_host(), (std::vector<double>{1, 1}));
  EXPECT_EQ(model.grad(numbers({2}, -2, -1)).copy_to_host(), (std::vector<double>{3, 3}));
}

TEST(taped, takes_a_given_adjoint) {
  const auto cube = [](const auto& x) { return x * x * x; };
  const auto adjoint = [](const auto& gradient, const auto& x) { return std::tuple(gradient * (3.0 * (x * x))); };
  agrees_with_differences(gs::taped([&](auto& tape, auto x) { return tape.sum(tape.call(cube, adjoint, x) * x); }),
                          numbers({6}));
  const auto wrong = [](const auto& gradient, const auto&) { return std::tuple(gs::sum(gradient)); };
  EXPECT_TRUE(refused(
      [&] { gs::taped([&](auto& tape, auto x) { return tape.sum(tape.call(cube, wrong, x)); }).grad(numbers({6})); },
      {"a gradient of shape ()", "has the shape (6,)"}));
}

TEST(taped, gives_the_gradient_by_what_is_not_used) {
  const auto [value, by_x, by_y] =
      gs::taped([](auto& tape, auto x, auto) { return tape.sum(x); }).value_and_grad(numbers({3}), numbers({2}));
  EXPECT_EQ(by_y.copy_to_host(), (std::vector<double>{0, 0}));
  EXPECT_EQ(by_x.copy_to_host(), (std::vector<double>{1, 1, 1}));
}

TEST(taped, agrees_at_every_size_in_float32) {
  for (std::size_t n : runtime_test::sizes) {
    const auto x = numbers_between<float>(-1, 2, n);
    const auto [value, gradient] =
        gs::taped([](auto& tape, auto v) { return tape.sum(tape(gs::square, v)); }).value_and_grad(gs::to_device(x));
    EXPECT_TRUE(runtime_test::agrees(gradient.copy_to_host(), n, [&](std::size_t i) { return 2 * x[i]; }, 1));
  }
}

TEST(taped, multiplies_a_vector_with_the_jacobian_matrix) {
  const auto squares = gs::taped([](auto&, auto x) { return x * x; });
  const auto [y, gradient] =
      squares.vjp(gs::to_device(std::vector<double>{1, 10}), gs::to_device(std::vector<double>{3, 4}));
  EXPECT_EQ(y.copy_to_host(), (std::vector<double>{9, 16}));
  EXPECT_EQ(gradient.copy_to_host(), (std::vector<double>{6, 80}));
  EXPECT_TRUE(refused([&] { squares.grad(numbers({2})); }, {"the result has the shape (2,)", "tape.sum", "vjp"}));
  EXPECT_TRUE(refused([&] { squares.vjp(numbers({3}), numbers({2})); }, {"a gradient of shape (3,)", "(2,)"}));
}

TEST(taped, copies_nothing_to_the_host) {
  const auto x = numbers({1000});
  const gs::ledger_scope scope;
  gs::taped([](auto& tape, auto v) { return tape.mean(tape(gs::exp, v)); }).grad(x);
  EXPECT_EQ(scope.account().copies_to_host + scope.account().copies_to_device, 0u);
  EXPECT_EQ(scope.account().copies_within_device, 0u);
}

namespace {
GS_FN void double_each(gs::thread t, gs::view<double> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= 2;
}
// `overwrite` changes x between the call that reads it and the gradient.
template <class Overwrite>
auto overwritten_by(Overwrite overwrite) {
  return [overwrite] {
    auto x = numbers({4});
    gs::taped([&](auto& tape, auto v) {
      const auto result = tape.sum(v * v);
      overwrite(x);
      return result;
    }).grad(x);
  };
}
}  // namespace

TEST(taped, refuses_an_array_that_was_overwritten_and_names_the_line) {
  const std::string line = "tape_test.cpp:" + std::to_string(__LINE__ - 9);
  const std::initializer_list<std::string> parts{line, "shape (4,)", "overwritten since", "write to another array"};
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::add(x, 1.0, gs::out(x)); }), parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { x *= 2.0; }), parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::launch<double_each>({.grid = 1, .block = 32}, x); }), parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { x.copy_from_host(std::vector<double>(4)); }), parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::fill_uniform(x, 1); }), parts));
  EXPECT_NO_THROW(overwritten_by([](auto& x) { gs::sum(x); })());
}
