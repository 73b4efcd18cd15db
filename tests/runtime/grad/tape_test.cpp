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
#include "tests/runtime/grad/agrees_with_differences.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::agrees_with_differences, runtime_test::numbers, runtime_test::numbers_between,
    runtime_test::refused;

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

TEST(taped, gives_its_value_alone) {
  const auto x = gs::to_device(std::vector<double>{3, 4});
  EXPECT_EQ(gs::taped([](auto& tape, auto v) { return tape.sum(v * v); })(x).copy_to_host()[0], 25);
  EXPECT_EQ(gs::taped([](auto&, auto v) { return v * v; })(x).copy_to_host(), (std::vector<double>{9, 16}));
}

// --- check_gradient ------------------------------------------------------------------------------------------------

namespace {
// The squares of x times y, whose gradient by x has `error` added at one element.
auto squares_with_error(std::size_t element, double error) {
  return gs::taped([=](auto& tape, auto y, auto x) {
    const auto forward = [](const auto& a, const auto& b) { return a * b * b; };
    const auto adjoint = [=](const auto& gradient, const auto& a, const auto& b) {
      std::vector<double> errors(b.size());
      errors[element] = error;
      return std::tuple(gradient * b * b, gradient * (2.0 * (a * b)) + gs::to_device(errors).reshape(b.shape()));
    };
    return tape.call(forward, adjoint, y, x);
  });
}
}  // namespace

TEST(check_gradient_of_arrays, names_the_element_that_differs_most) {
  const auto x = gs::to_device(std::vector<double>{1, 2, 3, 4, 5, 6}).reshape({2, 3});
  const auto y = gs::ones<double>({2, 3});
  EXPECT_TRUE(gs::check_gradient(squares_with_error(0, 0), y, x).agrees(1e-8));
  const gs::gradient_check check = gs::check_gradient(squares_with_error(5, 0.25), y, x);
  EXPECT_FALSE(check.agrees());
  EXPECT_EQ(check.argument, 1u);
  EXPECT_EQ(check.element, 5u);
  EXPECT_EQ(check.extents, gs::shape({2, 3}));
  EXPECT_NEAR(check.derivative - check.difference, 0.25, 1e-7);
  const std::string text = gs::to_string(check);
  EXPECT_NE(text.find("argument 1, element (1, 2) of (2, 3): the derivative is "), text.npos) << text;
  EXPECT_NE(text.find(", and the central difference "), text.npos) << text;
  EXPECT_EQ(x.copy_to_host(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(check_gradient_of_arrays, reports_a_nan_wherever_it_stands) {
  const auto x = numbers({3}), y = gs::ones<double>({3});
  for (std::size_t element : {0, 1, 2}) {
    const gs::gradient_check check = gs::check_gradient(squares_with_error(element, std::nan("")), y, x);
    EXPECT_FALSE(check.agrees(1e300));
    EXPECT_EQ(check.element, element);
  }
}

TEST(check_gradient_of_arrays, is_not_deceived_by_a_right_sum) {
  // Each gradient is the next one's: their sum is right.
  const auto forward = [](const auto& a) { return a * a; };
  const auto adjoint = [](const auto& gradient, const auto& a) {
    const auto right = gradient * (2.0 * a);
    return std::tuple(gs::concatenate(right.slice(1, 2), right.slice(0, 1)));
  };
  const auto model = gs::taped([&](auto& tape, auto a) { return tape.call(forward, adjoint, a); });
  EXPECT_FALSE(gs::check_gradient(model, gs::ones<double>({2})).agrees());
}

TEST(check_gradient_of_arrays, has_nothing_to_say_of_an_empty_array) {
  const gs::gradient_check check =
      gs::check_gradient(gs::taped([](auto&, auto x) { return x * x; }), gs::zeros<double>({0, 3}));
  EXPECT_TRUE(check.agrees(0));
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

TEST(taped, returns_arrays_that_share_no_memory) {
  auto x = numbers({2, 2}), seed = gs::ones<double>({2, 2});
  const std::vector<double> elements = x.copy_to_host();
  const auto identity = gs::taped([](auto&, auto v) { return v; });
  auto alone = identity(x);
  auto [value, gradient] = identity.vjp(seed, x);
  alone += 1.0, value += 2.0, gradient += 3.0;
  EXPECT_EQ(x.copy_to_host(), elements);
  EXPECT_EQ(seed.copy_to_host(), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(gradient.copy_to_host(), (std::vector<double>{4, 4, 4, 4}));

  // An adjoint may return one array for two variables.
  const auto sum = [](const auto& a, const auto& b) { return a + b; };
  const auto twice = [](const auto& g, const auto&, const auto&) {
    return std::tuple(g.reshape(g.shape()), g.reshape(g.shape()));
  };
  auto [total, by_a, by_b] =
      gs::taped([&](auto& tape, auto a, auto b) { return tape.call(sum, twice, a, b); }).vjp(seed, x, x);
  by_a += 1.0;
  EXPECT_EQ(by_b.copy_to_host(), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(seed.copy_to_host(), (std::vector<double>{1, 1, 1, 1}));

  // What is nobody else's isn't copied: the product, the sum in two launches, and back the sum's gradient, the
  // product's by both factors, and their sum.
  const auto one = gs::full(gs::shape(), 1.0);
  const gs::ledger_scope scope;
  gs::taped([](auto& tape, auto v) { return tape.sum(v * v); }).vjp(one, x);
  EXPECT_EQ(scope.account().launches, 7u);
}

TEST(taped, counts_the_memory_of_what_it_keeps_in_the_ledger) {
  const auto x = numbers({1000});
  const auto allocated_by = [&](std::size_t calls) {
    const gs::ledger_scope scope;
    gs::taped([&](auto& tape, auto v) {
      auto y = v;
      for (std::size_t k = 0; k < calls; ++k) y = tape(gs::sin, y);
      return tape.sum(y);
    }).grad(x);
    return scope.account();
  };
  // Each call makes its result and, on the way back, a gradient.
  const gs::ledger few = allocated_by(1), many = allocated_by(11);
  EXPECT_EQ(many.allocations - few.allocations, 20u);
  EXPECT_EQ(many.allocated_bytes - few.allocated_bytes, 20 * 1000 * sizeof(double));
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
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::sort(x, gs::out(x)); }), parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::inclusive_sum(x, gs::out(x)); }), parts));
  const auto others = numbers({4});
  EXPECT_TRUE(refused(overwritten_by([&](auto& x) {
                        auto values = numbers({4});
                        gs::sort_by_key(others, x, gs::out(values), gs::out(x));
                      }),
                      parts));
  EXPECT_TRUE(refused(overwritten_by([&](auto& x) {
                        gs::device_array<std::uint64_t> count(1);
                        gs::select_flagged(others, gs::less(others, 0.5), gs::out(x), gs::out(count));
                      }),
                      parts));
  EXPECT_TRUE(refused(overwritten_by([](auto& x) { gs::irfft(gs::rfft(x), gs::out(x)); }), parts));
  EXPECT_NO_THROW(overwritten_by([](auto& x) { gs::sum(x), gs::rfft(x); })());
}
