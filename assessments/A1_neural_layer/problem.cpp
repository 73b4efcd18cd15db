// Task A1, the trusted side: pictures and weights, and tanh in float64.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "runtime/math/vector_math.h"

namespace grader {
namespace {

// Weights from -1.5 to 1.5; larger ones, with which an exponential leaves float32's range; and smaller ones, with which
// the difference of two exponentials cancels.
float image_weight(std::uint64_t bits) { return 3 * upper_uniform(bits) - 1.5f; }
float large_weight(std::uint64_t bits) { return 800 * upper_uniform(bits) - 400; }
float small_weight(std::uint64_t bits) {
  const auto halvings = static_cast<std::uint32_t>(bits & 15);
  return std::bit_cast<float>((125 - halvings) << 23) * (2 * upper_uniform(bits) - 1);  // 2^-2 to 2^-17
}

// Relative: near 0 tanh(x) is x, and a difference of numbers near 1 has few of its digits left.
double tolerance(double expected) { return 1e-4 * std::abs(expected); }

// Where 1 - exp(-2 x), in float, is off by more than that.
bool cancels(double x) { return std::abs(x) < 1e-2; }

class neural_layer final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::size_t n = size_of(c, "values");
    return {.arrays = {{.name = "greyscales", .role = array_role::host_input, .extents = {n}},
                       {.name = "weights", .role = array_role::host_input, .extents = {n}},
                       {.name = "the layer", .role = array_role::host_output, .extents = {n}}},
            .numbers = {}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    fill(elements<float>(arrays[0]),
         [seed = random_bits(seed, 0)](std::size_t i) { return 255 * upper_uniform(random_bits(seed, i)); });
    const auto weights = elements<float>(arrays[1]);
    const std::uint64_t of_weights = random_bits(seed, 1);
    if (c.data == "image")
      fill(weights, [=](std::size_t i) { return image_weight(random_bits(of_weights, i)); });
    else if (c.data == "small")
      fill(weights, [=](std::size_t i) { return small_weight(random_bits(of_weights, i)); });
    else if (c.data == "large")
      fill(weights, [=](std::size_t i) { return large_weight(random_bits(of_weights, i)); });
    else
      refuse_data(c, {"image", "small", "large"});
  }

  std::optional<wrong_answer> check(const test_case&,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const auto greyscales = elements<float>(arrays[0]), weights = elements<float>(arrays[1]),
               got = elements<float>(arrays[2]);
    const auto argument = [&](std::size_t i) { return double{greyscales[i]} / 255 * double{weights[i]}; };
    const auto wrong = find_wrong(got.size(), [&](std::size_t i) {
      const double expected = std::tanh(argument(i));
      return !(std::abs(double{got[i]} - expected) <= tolerance(expected));  // NaN is wrong
    });
    if (wrong.count == 0) return {};

    const std::size_t i = wrong.first;
    const double x = argument(i), expected = std::tanh(x);
    std::string explanation =
        fmt::format("grey value {:.6g}, weight {:.6g}: tanh of {:.6g}", greyscales[i], weights[i], x);
    if (!std::isnan(got[i]) && cancels(x) && std::abs(double{got[i]} - expected) < 1e-5)
      explanation += "; the difference of two numbers near 1 has lost its digits there";
    if (std::isnan(got[i]) && std::abs(x) > 88) explanation += ", whose exponential is beyond float32";
    return wrong_answer{.array = "the layer",
                        .index = {i},
                        .extents = {got.size()},
                        .expected = expected,
                        .got = got[i],
                        .tolerance = tolerance(expected),
                        .wrong = wrong.count,
                        .explanation = explanation};
  }
};

}  // namespace

std::unique_ptr<problem> neural_layer_problem() { return std::make_unique<neural_layer>(); }

}  // namespace grader
