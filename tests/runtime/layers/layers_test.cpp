// Layers beside plain loops in float64, and their adjoints beside central differences, at awkward shapes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "runtime/grad/check_gradient.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"
#include "tests/runtime/numpy/reference.h"
#include "tests/runtime/refused.h"

namespace {

using gs::convolution_method;
using runtime_test::numbers_between, runtime_test::refused;

template <class T>
gs::device_array<T> numbers(const gs::shape& extents, double low = -1, double high = 2) {
  return gs::to_device(numbers_between<T>(low, high, extents.size())).reshape(extents);
}
gs::shape pictures(std::size_t batch, std::size_t rows, std::size_t columns, std::size_t channels) {
  return {batch, rows, columns, channels};
}

// To `units` roundings of numbers of the size of 1.
template <class T>
void expect_near(const gs::device_array<T>& found, const std::vector<double>& expected, double units,
                 const std::string& description) {
  const std::vector<T> elements = found.copy_to_host();
  ASSERT_EQ(elements.size(), expected.size()) << description;
  const double tolerance = units * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t i = 0; i < elements.size(); ++i)
    ASSERT_NEAR(static_cast<double>(elements[i]), expected[i], tolerance * std::fmax(1, std::fabs(expected[i])))
        << description << ", element " << i;
}

template <class Model, class... X>
void agrees_with_differences(const Model& model, const X&... x) {
  const gs::gradient_check check = gs::check_gradient(gs::taped(model), x...);
  EXPECT_TRUE(check.agrees(1e-7)) << gs::to_string(check);
}

// --- dense -----------------------------------------------------------------------------------------------------------

template <class T>
void dense_agrees(std::size_t batch, std::size_t inputs, std::size_t outputs) {
  const auto x = numbers<T>({batch, inputs}), w = numbers<T>({inputs, outputs}, -2, 1), b = numbers<T>({outputs});
  const std::vector<T> xs = x.copy_to_host(), ws = w.copy_to_host(), bs = b.copy_to_host();
  std::vector<double> expected(batch * outputs);
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t j = 0; j < outputs; ++j) {
      double sum = static_cast<double>(bs[j]);
      for (std::size_t k = 0; k < inputs; ++k)
        sum += static_cast<double>(xs[i * inputs + k]) * static_cast<double>(ws[k * outputs + j]);
      expected[i * outputs + j] = sum;
    }
  const auto y = gs::dense(x, w, b);
  EXPECT_EQ(y.shape(), gs::shape({batch, outputs}));
  expect_near(y, expected, 8 * static_cast<double>(inputs + 1), gs::to_string(x.shape()));
}

TEST(dense, agrees_with_a_plain_loop_at_awkward_shapes) {
  for (std::size_t batch : {0, 1, 33})
    for (std::size_t inputs : {0, 1, 31})
      for (std::size_t outputs : {1, 32, 37}) {
        dense_agrees<float>(batch, inputs, outputs);
        dense_agrees<double>(batch, inputs, outputs);
      }
}

TEST(dense, has_the_gradients_that_differences_have) {
  const auto layer = [](auto& tape, auto x, auto w, auto b) { return gs::dense(tape, x, w, b); };
  agrees_with_differences(layer, numbers<double>({3, 2}), numbers<double>({2, 5}), numbers<double>({5}));
  agrees_with_differences(layer, numbers<double>({1, 1}), numbers<double>({1, 1}), numbers<double>({1}));
  const auto constant = numbers<double>({4, 3});
  agrees_with_differences([&](auto& tape, auto w, auto b) { return gs::dense(tape, constant, w, b); },
                          numbers<double>({3, 2}), numbers<double>({2}));
  // The adjoint as a function, beside the tape's.
  const auto x = numbers<double>({4, 3}), w = numbers<double>({3, 2}), b = numbers<double>({2}),
             gradient = numbers<double>({4, 2}, 0, 1);
  const auto [value, by_x, by_w, by_b] = gs::taped(layer).vjp(gradient, x, w, b);
  const auto adjoint = gs::dense_adjoint(gradient, x, w);
  EXPECT_EQ(std::get<0>(adjoint).copy_to_host(), by_x.copy_to_host());
  EXPECT_EQ(std::get<1>(adjoint).copy_to_host(), by_w.copy_to_host());
  EXPECT_EQ(std::get<2>(adjoint).copy_to_host(), by_b.copy_to_host());
}

TEST(dense, refuses_other_shapes) {
  const auto x = numbers<float>({4, 3}), w = numbers<float>({3, 2});
  // One bias would be broadcast, and a bias for each row too.
  for (const gs::shape& biases : {gs::shape(1), gs::shape(3), gs::shape({4, 2})})
    EXPECT_TRUE(refused([&] { gs::dense(x, w, numbers<float>(biases)); },
                        {"a dense layer", "the weights (3, 2)", gs::to_string(biases), "(inputs, outputs)"}));
  EXPECT_TRUE(refused([&] { gs::dense(w, w, numbers<float>(2)); }, {"the inputs have the shape (3, 2)"}));
  EXPECT_TRUE(refused(
      [&] {
        gs::taped([&](auto& tape, auto v, auto b) { return gs::dense(tape, x, v, b); }).vjp(x, w, numbers<float>(1));
      },
      {"a dense layer", "biases (1,)"}));
  EXPECT_TRUE(refused([&] { gs::dense_adjoint(x, x, w); },
                      {"the adjoint of a dense layer", "the gradient has the shape (4, 3)", "(4, 2)"}));
}

// --- convolution -----------------------------------------------------------------------------------------------------

constexpr convolution_method all_methods[] = {convolution_method::fastest, convolution_method::direct,
                                              convolution_method::im2col, convolution_method::block,
                                              convolution_method::registers};

template <class T>
void convolution_agrees(const gs::shape& extents, std::size_t outputs) {
  const std::size_t batch = extents[0], rows = extents[1], columns = extents[2], channels = extents[3];
  const auto x = numbers<T>(extents), w = numbers<T>(pictures(3, 3, channels, outputs), -2, 1);
  const std::vector<T> xs = x.copy_to_host(), ws = w.copy_to_host();
  std::vector<double> expected;
  for (std::size_t n = 0; n < batch; ++n)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t output = 0; output < outputs; ++output) {
          double sum = 0;
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
              if (row + i < 1 || row + i > rows || column + j < 1 || column + j > columns) continue;
              for (std::size_t k = 0; k < channels; ++k)
                sum += static_cast<double>(xs[((n * rows + row + i - 1) * columns + column + j - 1) * channels + k]) *
                       static_cast<double>(ws[((i * 3 + j) * channels + k) * outputs + output]);
            }
          expected.push_back(sum);
        }
  for (const convolution_method method : all_methods) {
    const auto y = gs::convolution_3x3(x, w, method);
    EXPECT_EQ(y.shape(), pictures(batch, rows, columns, outputs));
    expect_near(y, expected, 8 * static_cast<double>(9 * channels + 1),
                gs::to_string(extents) + ", method " + std::to_string(static_cast<int>(method)));
  }
}

TEST(convolution, agrees_with_plain_loops_at_awkward_shapes) {
  for (const gs::shape& extents :
       {pictures(1, 1, 1, 1), pictures(1, 1, 3, 2), pictures(2, 3, 1, 1), pictures(0, 4, 4, 3), pictures(2, 0, 4, 3),
        pictures(2, 4, 4, 0), pictures(1, 2, 2, 33), pictures(3, 7, 11, 5), pictures(1, 17, 13, 31)})
    for (std::size_t outputs : {0, 1, 5, 64, 67}) {
      convolution_agrees<float>(extents, outputs);
      convolution_agrees<double>(extents, outputs);
    }
}

// More pictures than one matrix of surroundings holds.
TEST(convolution, agrees_where_the_batch_is_cut_into_pieces) { convolution_agrees<float>(pictures(3, 61, 67, 32), 3); }

TEST(convolution, has_the_gradients_that_differences_have) {
  for (const convolution_method method : all_methods) {
    const auto layer = [=](auto& tape, auto x, auto w) { return gs::convolution_3x3(tape, x, w, method); };
    agrees_with_differences(layer, numbers<double>(pictures(2, 3, 5, 2)), numbers<double>(pictures(3, 3, 2, 3)));
    agrees_with_differences(layer, numbers<double>(pictures(1, 1, 1, 1)), numbers<double>(pictures(3, 3, 1, 1)));
    agrees_with_differences(layer, numbers<double>(pictures(0, 3, 3, 1)), numbers<double>(pictures(3, 3, 1, 2)));
    const auto constant = numbers<double>(pictures(2, 4, 3, 2));
    agrees_with_differences([&](auto& tape, auto w) { return gs::convolution_3x3(tape, constant, w, method); },
                            numbers<double>(pictures(3, 3, 2, 2)));
  }
}

// Pieces are added: the gradient of two pictures by the weights, beside those of each.
TEST(convolution, adds_the_gradients_of_pieces) {
  const auto x = numbers<double>(pictures(2, 61, 67, 32)), gradient = numbers<double>(pictures(2, 61, 67, 2));
  const auto together = gs::convolution_3x3_adjoint_of_weights(gradient, x);
  const auto apart = gs::convolution_3x3_adjoint_of_weights(gradient.slice(0, 1), x.slice(0, 1)) +
                     gs::convolution_3x3_adjoint_of_weights(gradient.slice(1, 2), x.slice(1, 2));
  const std::vector<double> expected = apart.copy_to_host();
  EXPECT_GT(*std::ranges::max_element(expected), 1);
  expect_near(together, expected, 1e4, "by the weights");
}

TEST(convolution, refuses_other_shapes_and_overwritten_constants) {
  const auto x = numbers<float>(pictures(2, 4, 4, 3));
  for (const gs::shape& weights : {pictures(3, 3, 2, 5), pictures(5, 3, 3, 5), pictures(3, 1, 3, 5)})
    EXPECT_TRUE(refused([&] { gs::convolution_3x3(x, numbers<float>(weights)); },
                        {"a 3x3 convolution", "(2, 4, 4, 3)", gs::to_string(weights), "(3, 3, channels, outputs)"}));
  EXPECT_TRUE(refused([&] { gs::convolution_3x3(x.reshape({2, 16, 3}), numbers<float>(pictures(3, 3, 3, 1))); },
                      {"(2, 16, 3)"}));
  const auto wide = numbers<float>(pictures(2, 3, 5, 3));
  for (const gs::shape& gradient : {pictures(2, 5, 3, 4), pictures(1, 3, 5, 4), gs::shape{2, 15, 4}})
    EXPECT_TRUE(
        refused([&] { gs::convolution_3x3_adjoint_of_weights(numbers<float>(gradient), wide); },
                {"the adjoint of a 3x3 convolution", gs::to_string(gradient), "the result's shape, (2, 3, 5, "}));
  auto constant = numbers<float>(pictures(1, 2, 2, 1));
  const auto w = numbers<float>(pictures(3, 3, 1, 1));
  EXPECT_TRUE(refused(
      [&] {
        gs::taped([&](auto& tape, auto v) {
          const auto y = tape.sum(gs::convolution_3x3(tape, constant, v));
          constant += 1.0f;
          return y;
        }).grad(w);
      },
      {"layers_test.cpp", "shape (1, 2, 2, 1)", "overwritten since"}));
}

// --- max pooling -----------------------------------------------------------------------------------------------------

template <class T>
void pooling_agrees(const gs::shape& extents) {
  const std::size_t rows = extents[1], columns = extents[2], channels = extents[3];
  const auto x = numbers<T>(extents), gradient = numbers<T>(pictures(extents[0], rows / 2, columns / 2, channels));
  const std::vector<T> xs = x.copy_to_host(), gs_ = gradient.copy_to_host();
  std::vector<double> expected, by_x(xs.size());
  for (std::size_t n = 0; n < extents[0]; ++n)
    for (std::size_t row = 0; row < rows / 2; ++row)
      for (std::size_t column = 0; column < columns / 2; ++column)
        for (std::size_t k = 0; k < channels; ++k) {
          const auto at = [&](std::size_t i, std::size_t j) {
            return ((n * rows + 2 * row + i) * columns + 2 * column + j) * channels + k;
          };
          std::size_t largest = at(0, 0);
          for (const std::size_t other : {at(0, 1), at(1, 0), at(1, 1)})
            if (xs[other] > xs[largest]) largest = other;
          by_x[largest] += static_cast<double>(gs_[expected.size()]);
          expected.push_back(static_cast<double>(xs[largest]));
        }
  expect_near(gs::max_pooling_2x2(x), expected, 0, gs::to_string(extents));
  expect_near(gs::max_pooling_2x2_adjoint(gradient, x), by_x, 0, "adjoint, " + gs::to_string(extents));
}

TEST(max_pooling, agrees_with_plain_loops_at_awkward_shapes) {
  for (const gs::shape& extents :
       {pictures(1, 1, 1, 1), pictures(1, 1, 3, 2), pictures(2, 3, 1, 1), pictures(0, 4, 4, 3), pictures(2, 4, 4, 0),
        pictures(1, 2, 2, 33), pictures(3, 7, 11, 5), pictures(2, 64, 62, 31)}) {
    pooling_agrees<float>(extents);
    pooling_agrees<double>(extents);
  }
}

TEST(max_pooling, has_the_gradients_that_differences_have) {
  agrees_with_differences([](auto& tape, auto x) { return gs::max_pooling_2x2(tape, x); },
                          numbers<double>(pictures(2, 5, 4, 3)));
}

TEST(max_pooling, gives_the_gradient_to_the_first_of_equals_and_keeps_nan) {
  const auto equal = gs::ones<float>(pictures(1, 2, 2, 1));
  EXPECT_EQ(gs::max_pooling_2x2_adjoint(gs::ones<float>(pictures(1, 1, 1, 1)), equal).copy_to_host(),
            (std::vector<float>{1, 0, 0, 0}));
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<float> x{1, 4, 3, 2};
    x[k] = std::nanf("");
    const auto y = gs::max_pooling_2x2(gs::to_device(x).reshape(pictures(1, 2, 2, 1))).copy_to_host();
    EXPECT_TRUE(std::isnan(y[0])) << "NaN at " << k;
  }
}

TEST(max_pooling, refuses_other_shapes) {
  EXPECT_TRUE(refused([] { gs::max_pooling_2x2(numbers<float>({4, 4})); },
                      {"2x2 max pooling", "(4, 4)", "(batch, rows, columns, channels)"}));
  EXPECT_TRUE(refused(
      [] { gs::max_pooling_2x2_adjoint(numbers<float>(pictures(1, 2, 2, 1)), numbers<float>(pictures(1, 2, 2, 1))); },
      {"the adjoint of 2x2 max pooling", "(1, 2, 2, 1)", "(1, 1, 1, 1)"}));
}

// --- softmax cross-entropy -------------------------------------------------------------------------------------------

template <class T>
void cross_entropy_agrees(std::size_t batch, std::size_t classes) {
  const auto scores = numbers<T>({batch, classes}, -30, 30), gradient = numbers<T>({batch});
  std::vector<int> labels(batch);
  for (std::size_t i = 0; i < batch; ++i) labels[i] = static_cast<int>(i * 7 % classes);
  const std::vector<T> s = scores.copy_to_host(), g = gradient.copy_to_host();
  std::vector<double> losses(batch), by_scores(batch * classes);
  for (std::size_t i = 0; i < batch; ++i) {
    const auto score = [&](std::size_t k) { return static_cast<double>(s[i * classes + k]); };
    const auto label = static_cast<std::size_t>(labels[i]);
    double total = 0;
    for (std::size_t k = 0; k < classes; ++k) total += std::exp(score(k));
    losses[i] = std::log(total) - score(label);
    for (std::size_t k = 0; k < classes; ++k)
      by_scores[i * classes + k] = static_cast<double>(g[i]) * (std::exp(score(k)) / total - (k == label ? 1 : 0));
  }
  const std::string description = std::to_string(batch) + " rows of " + std::to_string(classes);
  const auto device_labels = gs::to_device(labels);
  expect_near(gs::softmax_cross_entropy(scores, device_labels), losses, 60, description);
  expect_near(gs::softmax_cross_entropy_adjoint(gradient, scores, device_labels), by_scores, 60, description);
}

TEST(cross_entropy, agrees_with_plain_loops_at_awkward_shapes) {
  for (std::size_t batch : {0, 1, 31, 1009})
    for (std::size_t classes : {1, 2, 10, 31, 32, 33, 101}) {
      cross_entropy_agrees<float>(batch, classes);
      cross_entropy_agrees<double>(batch, classes);
    }
}

TEST(cross_entropy, stays_finite_for_scores_of_any_size) {
  const auto scores = gs::to_device(std::vector<float>{3e38f, -3e38f, 0, 1000, 0, 0}).reshape({2, 3});
  const auto labels = gs::to_device(std::vector<int>{0, 1});
  EXPECT_EQ(gs::softmax_cross_entropy(scores, labels).copy_to_host(), (std::vector<float>{0, 1000}));
  EXPECT_EQ(gs::softmax_cross_entropy_adjoint(gs::ones<float>(2), scores, labels).copy_to_host(),
            (std::vector<float>{0, 0, 0, 1, -1, 0}));
}

TEST(cross_entropy, has_the_gradients_that_differences_have) {
  const auto labels = gs::to_device(std::vector<int>{2, 0, 1});
  const auto layer = [&](auto& tape, auto x) { return gs::softmax_cross_entropy(tape, x, labels); };
  agrees_with_differences(layer, numbers<double>({3, 3}));
  agrees_with_differences([&](auto& tape, auto x) { return tape.mean(layer(tape, x)); }, numbers<double>({3, 5}));
}

TEST(cross_entropy, refuses_other_shapes_and_labels) {
  const auto scores = numbers<float>({2, 3});
  const auto labelled = [](int a, int b) { return gs::to_device(std::vector<int>{a, b}); };
  EXPECT_TRUE(refused([&] { gs::softmax_cross_entropy(scores, gs::to_device(std::vector<int>{1})); },
                      {"softmax cross-entropy", "(2, 3)", "(1,)", "(batch, classes)"}));
  EXPECT_TRUE(refused([&] { gs::softmax_cross_entropy(numbers<float>({2, 0}), labelled(0, 0)); }, {"(2, 0)"}));
  EXPECT_TRUE(refused([&] { gs::softmax_cross_entropy_adjoint(numbers<float>(3), scores, labelled(0, 0)); },
                      {"the adjoint of softmax cross-entropy", "(3,)", "(2,)"}));
  if (gs::current_device() == gs::device_kind::engine) {  // a GPU's kernel stops, and no other runs behind it
    for (const int wrong : {-1, 3, 1'000'000})
      EXPECT_TRUE(refused([&] { gs::softmax_cross_entropy(scores, labelled(0, wrong)).copy_to_host(); },
                          {"a label is " + std::to_string(wrong), "the 3 classes from 0 to 2"}));
  }
  auto labels = labelled(0, 1);
  EXPECT_TRUE(refused(
      [&] {
        gs::taped([&](auto& tape, auto x) {
          const auto y = tape.sum(gs::softmax_cross_entropy(tape, x, labels));
          labels += 1;
          return y;
        }).grad(scores);
      },
      {"layers_test.cpp", "shape (2,)", "overwritten since"}));
}

// --- a network of them -----------------------------------------------------------------------------------------------

TEST(layers, make_a_network_whose_gradients_agree) {
  const auto images = numbers<double>(pictures(3, 5, 4, 1));
  const auto labels = gs::to_device(std::vector<int>{1, 0, 1});
  agrees_with_differences(
      [&](auto& tape, auto filters, auto w, auto b) {
        const auto seen = tape(gs::tanh, gs::convolution_3x3(tape, images, filters));
        const auto pooled = gs::max_pooling_2x2(tape, seen).reshape({3, -1});
        return tape.mean(gs::softmax_cross_entropy(tape, gs::dense(tape, pooled, w, b), labels));
      },
      numbers<double>(pictures(3, 3, 1, 2)), numbers<double>({8, 2}), numbers<double>({2}));
}

}  // namespace
