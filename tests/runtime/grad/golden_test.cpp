// Derivatives beside those that JAX gives: jax_golden.json was made by jax_golden.py.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/grad/grad.h"
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"

namespace {

using nlohmann::json;

const json& golden() {
  static const json values = json::parse(std::ifstream(JAX_GOLDEN_FILE));
  return values;
}

void expect_close(double computed, double expected, const std::string& description) {
  EXPECT_NEAR(computed, expected, 2e-13 * std::fmax(1, std::fabs(expected))) << description;
}

struct wave {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::sin;
    return sin(x * x) * x;
  }
};
struct quotient {
  template <class T>
  GS_FN T operator()(T x) const {
    return (1.5f + x) / (2 + x * x);
  }
};
struct chain {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::exp, std::sqrt, std::tanh;
    return exp(tanh(3 * x) - sqrt(1 + x * x));
  }
};
struct ratio {
  template <class T>
  GS_FN T operator()(T x, T y) const {
    return (x - y) / (x * x + y * y);
  }
};
// The elementary functions by name.
#define FUNCTION_OF_ONE(name)       \
  struct name##_function {          \
    template <class T>              \
    GS_FN T operator()(T x) const { \
      using std::name;              \
      return name(x);               \
    }                               \
  };
FUNCTION_OF_ONE(exp)
FUNCTION_OF_ONE(exp2)
FUNCTION_OF_ONE(expm1)
FUNCTION_OF_ONE(log)
FUNCTION_OF_ONE(log2)
FUNCTION_OF_ONE(log10)
FUNCTION_OF_ONE(log1p)
FUNCTION_OF_ONE(sqrt)
FUNCTION_OF_ONE(cbrt)
FUNCTION_OF_ONE(sin)
FUNCTION_OF_ONE(cos)
FUNCTION_OF_ONE(tan)
FUNCTION_OF_ONE(asin)
FUNCTION_OF_ONE(acos)
FUNCTION_OF_ONE(atan)
FUNCTION_OF_ONE(sinh)
FUNCTION_OF_ONE(cosh)
FUNCTION_OF_ONE(tanh)
FUNCTION_OF_ONE(asinh)
FUNCTION_OF_ONE(acosh)
FUNCTION_OF_ONE(atanh)
FUNCTION_OF_ONE(erf)
#undef FUNCTION_OF_ONE
#define FUNCTION_OF_TWO(name)            \
  struct name##_function {               \
    template <class T>                   \
    GS_FN T operator()(T x, T y) const { \
      using std::name;                   \
      return name(x, y);                 \
    }                                    \
  };
FUNCTION_OF_TWO(pow)
FUNCTION_OF_TWO(hypot)
FUNCTION_OF_TWO(atan2)
#undef FUNCTION_OF_TWO

template <auto F>
void agrees_of_one(const std::string& name) {
  const json& points = golden().at("of_one").at(name);
  ASSERT_GE(points.size(), 3u);
  for (const json& point : points) {
    const double x = point.at("x");
    const std::string description = name + " at " + std::to_string(x);
    const auto [value, slope] = gs::value_and_grad<F>(x);
    expect_close(value, point.at("value"), description);
    expect_close(slope, point.at("slope"), "slope of " + description);
    expect_close(gs::grad<gs::grad<F>>(x), point.at("curvature"), "curvature of " + description);
  }
}
template <auto F>
void agrees_of_two(const std::string& name) {
  const json& points = golden().at("of_two").at(name);
  ASSERT_GE(points.size(), 3u);
  for (const json& point : points) {
    const double x = point.at("x"), y = point.at("y");
    const std::string description = name + " at " + std::to_string(x) + ", " + std::to_string(y);
    const auto [by_x, by_y] = gs::grad<F, 0, 1>(x, y);
    expect_close(by_x, point.at("by_x"), "by x, " + description);
    expect_close(by_y, point.at("by_y"), "by y, " + description);
    expect_close(gs::grad<gs::grad<F, 0>, 1>(x, y), point.at("by_x_and_y"), "by x and y, " + description);
  }
}

gs::device_array<double> array(const json& recorded) {
  gs::shape extents;
  for (const std::size_t extent : recorded.at("shape")) extents.push_back(extent);
  return gs::to_device(recorded.at("elements").get<std::vector<double>>()).reshape(extents);
}
void expect_array(const gs::device_array<double>& computed, const json& expected, const std::string& description) {
  ASSERT_EQ(computed.shape(), array(expected).shape()) << description;
  const std::vector<double> elements = computed.copy_to_host();
  for (std::size_t i = 0; i < elements.size(); ++i)
    expect_close(elements[i], expected.at("elements").at(i), description + ", element " + std::to_string(i));
}

// Asks `model` for its value and its gradients by as many arguments as are recorded under `name`.
template <std::size_t Arguments, class Model>
void agrees_of_arrays(const std::string& name, const Model& model) {
  const json& recorded = golden().at("of_arrays").at(name);
  ASSERT_EQ(recorded.at("arguments").size(), Arguments);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const auto computed = model.value_and_grad(array(recorded.at("arguments").at(K))...);
    expect_close(std::get<0>(computed).copy_to_host()[0], recorded.at("value"), name);
    (expect_array(std::get<K + 1>(computed), recorded.at("gradients").at(K), name + ", gradient " + std::to_string(K)),
     ...);
  }(std::make_index_sequence<Arguments>());
}
gs::device_array<double> constant(const std::string& model, const std::string& name) {
  return array(golden().at("of_arrays").at(model).at("constants").at(name));
}

}  // namespace

TEST(grad_beside_jax, of_functions_of_one_number) {
  agrees_of_one<wave{}>("wave");
  agrees_of_one<quotient{}>("quotient");
  agrees_of_one<chain{}>("chain");
  agrees_of_one<exp_function{}>("exp");
  agrees_of_one<exp2_function{}>("exp2");
  agrees_of_one<expm1_function{}>("expm1");
  agrees_of_one<log_function{}>("log");
  agrees_of_one<log2_function{}>("log2");
  agrees_of_one<log10_function{}>("log10");
  agrees_of_one<log1p_function{}>("log1p");
  agrees_of_one<sqrt_function{}>("sqrt");
  agrees_of_one<cbrt_function{}>("cbrt");
  agrees_of_one<sin_function{}>("sin");
  agrees_of_one<cos_function{}>("cos");
  agrees_of_one<tan_function{}>("tan");
  agrees_of_one<asin_function{}>("asin");
  agrees_of_one<acos_function{}>("acos");
  agrees_of_one<atan_function{}>("atan");
  agrees_of_one<sinh_function{}>("sinh");
  agrees_of_one<cosh_function{}>("cosh");
  agrees_of_one<tanh_function{}>("tanh");
  agrees_of_one<asinh_function{}>("asinh");
  agrees_of_one<acosh_function{}>("acosh");
  agrees_of_one<atanh_function{}>("atanh");
  agrees_of_one<erf_function{}>("erf");
  EXPECT_EQ(golden().at("of_one").size(), 25u) << "a recorded function is not asked for";
}

TEST(grad_beside_jax, of_functions_of_two_numbers) {
  agrees_of_two<pow_function{}>("pow");
  agrees_of_two<hypot_function{}>("hypot");
  agrees_of_two<atan2_function{}>("atan2");
  agrees_of_two<ratio{}>("ratio");
  EXPECT_EQ(golden().at("of_two").size(), 4u) << "a recorded function is not asked for";
}

TEST(taped_beside_jax, logistic_regression) {
  const auto x = constant("logistic", "x"), labels = constant("logistic", "labels");
  agrees_of_arrays<2>("logistic", gs::taped([&](auto& tape, auto w, auto b) {
                        const auto scores = (tape.gemm(x, w) + b).reshape({12});
                        return tape.mean(tape(gs::log1p, tape(gs::exp, -(labels * scores))));
                      }));
}

TEST(taped_beside_jax, perceptron_of_two_layers) {
  const auto x = constant("perceptron", "x"), classes = constant("perceptron", "classes");
  agrees_of_arrays<4>("perceptron", gs::taped([&](auto& tape, auto w1, auto b1, auto w2, auto b2) {
                        const auto hidden = tape(gs::tanh, tape.gemm(x, w1) + b1);
                        const auto scores = tape.gemm(hidden, w2) + b2;
                        return tape.mean(tape(gs::log, tape.sum(tape(gs::exp, scores), gs::axis(1))) -
                                         tape.sum(classes * scores, gs::axis(1)));
                      }));
}

TEST(taped_beside_jax, normalised_columns) {
  const auto weights = constant("normalised", "weights");
  agrees_of_arrays<2>("normalised", gs::taped([&](auto& tape, auto x, auto gain) {
                        const auto centred = x - tape.mean(x, gs::axis(0));
                        const auto variance = tape.mean(centred * centred, gs::axis(0));
                        const auto scaled = centred / tape(gs::sqrt, variance + 1e-5) * gain;
                        return tape.sum(tape(gs::sin, scaled) * weights);
                      }));
}

TEST(taped_beside_jax, sum_over_pairs_by_broadcasting) {
  agrees_of_arrays<3>("kernel_sum", gs::taped([](auto& tape, auto x, auto y, auto w) {
                        return tape.sum(tape(gs::exp, -tape(gs::square, x - y)) * w);
                      }));
}

TEST(taped_beside_jax, largest_and_smallest_elements_with_ties) {
  const auto by_column = constant("extremes", "by_column"), by_row = constant("extremes", "by_row");
  agrees_of_arrays<1>("extremes", gs::taped([&](auto& tape, auto x) {
                        return tape.sum(tape.max(x, gs::axis(0)) * by_column) +
                               tape.sum(tape.min(x, gs::axis(1)) * by_row) + tape.max(x) * 0.75 - tape.min(x) * 1.25;
                      }));
}

TEST(taped_beside_jax, products_with_zeros) {
  const auto by_column = constant("products", "by_column"), by_row = constant("products", "by_row");
  agrees_of_arrays<1>("products", gs::taped([&](auto& tape, auto x) {
                        return tape.sum(tape.prod(x, gs::axis(0)) * by_column) +
                               tape.sum(tape.prod(x, gs::axis(1)) * by_row) + tape.prod(x.slice(0, 2));
                      }));
}

TEST(taped_beside_jax, running_sums) {
  const auto weights = constant("running_sums", "weights");
  agrees_of_arrays<1>("running_sums", gs::taped([&](auto& tape, auto x) {
                        const auto down = tape.cumsum(x, gs::axis(0)), right = tape.cumsum(x, gs::axis(1));
                        return tape.sum(tape(gs::sin, down) * right * weights) +
                               tape.sum(tape.cumsum(x) * weights.reshape({20}));
                      }));
}

TEST(taped_beside_jax, taken_elements) {
  const auto weights = constant("taken", "weights");
  const json& recorded = golden().at("of_arrays").at("taken").at("constants").at("positions");
  const auto positions = gs::to_device(recorded.at("elements").get<std::vector<int>>()).reshape({3, 2});
  agrees_of_arrays<1>("taken", gs::taped([&](auto& tape, auto x) {
                        const auto rows = tape.take(x, positions, gs::axis(0));
                        const auto columns = tape.take(x, positions[0], gs::axis(1));
                        return tape.sum(tape.sum(rows * rows, gs::axis(2)) * weights) + tape.prod(columns.slice(0, 1)) +
                               tape.sum(tape(gs::sin, tape.take(x, positions)));
                      }));
}

TEST(taped_beside_jax, joined_and_turned_arrays) {
  const auto middle = constant("joined", "middle"), weights = constant("joined", "weights");
  agrees_of_arrays<2>("joined", gs::taped([&](auto& tape, auto x, auto y) {
                        const auto wide = tape.concatenate(gs::axis(1), x, middle, tape.transpose(y));
                        const auto layers = tape.transpose(tape.stack(wide, wide * wide), {2, 0, 1});
                        const auto tall = tape.concatenate(tape.transpose(x), y);
                        return tape.sum(tape(gs::sin, layers) * weights) + tape.sum(tall * tall * tall);
                      }));
}

TEST(taped_beside_jax, gradient_of_a_result_that_is_an_array) {
  const json& recorded = golden().at("vjp");
  const auto [value, by_matrix, by_x] =
      gs::taped([](auto& tape, auto matrix, auto x) { return tape(gs::tanh, tape.gemm(matrix, x)); })
          .vjp(array(recorded.at("cotangent")), array(recorded.at("arguments").at(0)),
               array(recorded.at("arguments").at(1)));
  expect_array(value, recorded.at("value"), "value");
  expect_array(by_matrix, recorded.at("gradients").at(0), "by matrix");
  expect_array(by_x, recorded.at("gradients").at(1), "by x");
}
