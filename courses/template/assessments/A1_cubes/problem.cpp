// Task A1, the trusted side: values between -2 and 2, and their cubes in float64.

#include <cmath>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "assessments/grader/tasks/problem.h"

namespace grader {
namespace {

class cubes_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::size_t n = size_of(c, "values");
    return {.arrays = {{.name = "values", .role = array_role::host_input, .extents = {n}},
                       {.name = "the cubes", .role = array_role::host_output, .extents = {n}}},
            .numbers = {}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    if (c.data != "uniform") refuse_data(c, {"uniform"});
    fill(elements<float>(arrays[0]), [=](std::size_t i) { return 4 * upper_uniform(random_bits(seed, i)) - 2; });
  }

  std::optional<wrong_answer> check(const test_case&,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const auto values = elements<float>(arrays[0]), result = elements<float>(arrays[1]);
    const auto expected = [&](std::size_t i) { return double{values[i]} * double{values[i]} * double{values[i]}; };
    const auto tolerance = [&](std::size_t i) { return 1e-6 * std::abs(expected(i)); };
    const auto wrong = find_wrong(result.size(), [&](std::size_t i) {
      return !(std::abs(double{result[i]} - expected(i)) <= tolerance(i));  // NaN is wrong
    });
    if (wrong.count == 0) return {};
    const std::size_t i = wrong.first;
    return wrong_answer{.array = "the cubes",
                        .index = {i},
                        .extents = {result.size()},
                        .expected = expected(i),
                        .got = result[i],
                        .tolerance = tolerance(i),
                        .wrong = wrong.count,
                        .explanation = ""};
  }
};

}  // namespace

std::unique_ptr<problem> cubes_problem() { return std::make_unique<cubes_task>(); }

}  // namespace grader
