// Task A1's trusted side: the right answer passes, a changed one doesn't, and inputs are what the case asks for.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/assessments/tasks/problem_call.h"

namespace neural_layer_problem_test {

const auto problem = grader::problem_of("A1");
const char* const kinds[] = {"image", "small", "large"};
const std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 100'003};

grader::test_case of(std::size_t n, const char* data) { return {.sizes = {{"values", n}}, .data = data}; }

double right(problem_call& c, std::size_t i) {
  return std::tanh(static_cast<double>(c.array<float>(0)[i]) / 255 * static_cast<double>(c.array<float>(1)[i]));
}
void answer_right(problem_call& c) {
  for (std::size_t i = 0; i < c.size(2); ++i) c.array<float>(2)[i] = static_cast<float>(right(c, i));
}

TEST(neural_layer_problem, takes_two_host_arrays_and_returns_one) {
  const auto plan = problem->plan(of(7, "image"));
  ASSERT_EQ(plan.arrays.size(), 3u);
  for (const auto& a : plan.arrays) EXPECT_EQ(a.extents, std::vector<std::size_t>{7});
  EXPECT_EQ(plan.arrays[0].role, grader::array_role::host_input);
  EXPECT_EQ(plan.arrays[1].role, grader::array_role::host_input);
  EXPECT_EQ(plan.arrays[2].role, grader::array_role::host_output);
}

TEST(neural_layer_problem, accepts_the_right_answer_at_every_size) {
  for (const char* data : kinds)
    for (const std::size_t n : sizes) {
      problem_call c(*problem, of(n, data), n + 1);
      answer_right(c);
      EXPECT_FALSE(c.check()) << n << " " << data;
    }
}

TEST(neural_layer_problem, accepts_float_where_it_keeps_its_digits) {
  for (const char* data : kinds) {
    problem_call c(*problem, of(100'003, data), 5);
    for (std::size_t i = 0; i < c.size(2); ++i) {
      const float x = std::clamp(c.array<float>(0)[i] / 255 * c.array<float>(1)[i], -20.0f, 20.0f);
      c.array<float>(2)[i] = std::expm1(2 * x) / (std::expm1(2 * x) + 2);
    }
    EXPECT_FALSE(c.check()) << data;
  }
}

TEST(neural_layer_problem, rejects_exponentials_that_cancel_near_0) {
  for (const auto formula : {+[](float x) { return (std::exp(x) - std::exp(-x)) / (std::exp(x) + std::exp(-x)); },
                             +[](float x) { return 1 - 2 / (std::exp(2 * x) + 1); },
                             +[](float x) {
                               const float falling = std::exp(-2 * std::abs(x));
                               return std::copysign((1 - falling) / (1 + falling), x);
                             }})
    for (const char* data : {"small", "image"}) {
      problem_call c(*problem, of(100'003, data), 5);
      for (std::size_t i = 0; i < c.size(2); ++i)
        c.array<float>(2)[i] = formula(c.array<float>(0)[i] / 255 * c.array<float>(1)[i]);
      const auto wrong = c.check();
      ASSERT_TRUE(wrong) << data;
      EXPECT_NE(wrong->explanation.find("lost its digits"), std::string::npos) << wrong->explanation;
    }
}

TEST(neural_layer_problem, rejects_an_element_beyond_the_tolerance_and_says_which) {
  for (const char* data : kinds)
    for (const std::size_t n : sizes)
      for (const std::size_t i : some_of(n)) {
        problem_call c(*problem, of(n, data), n);
        answer_right(c);
        const double expected = right(c, i), tolerance = 1e-4 * std::abs(expected);
        c.array<float>(2)[i] = static_cast<float>(expected - 0.9 * tolerance);
        EXPECT_FALSE(c.check()) << n << " " << data << " " << i;
        c.array<float>(2)[i] = static_cast<float>(expected + 1.1 * tolerance);
        const auto wrong = c.check();
        ASSERT_TRUE(wrong) << n << " " << data << " " << i;
        EXPECT_EQ(wrong->array, "the layer");
        EXPECT_EQ(wrong->index, std::vector{i});
        EXPECT_EQ(wrong->extents, std::vector{n});
        EXPECT_DOUBLE_EQ(wrong->expected, expected);
        EXPECT_EQ(wrong->got, static_cast<double>(c.array<float>(2)[i]));
        EXPECT_DOUBLE_EQ(wrong->tolerance, tolerance);
        EXPECT_EQ(wrong->wrong, 1u);
        EXPECT_NE(wrong->explanation.find("tanh of"), std::string::npos) << wrong->explanation;
      }
}

TEST(neural_layer_problem, counts_all_wrong_elements_and_names_the_first) {
  problem_call c(*problem, of(100'003, "image"), 1);
  answer_right(c);
  for (std::size_t i = 40'000; i < 90'000; i += 10) c.array<float>(2)[i] += 1;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, std::vector<std::size_t>{40'000});
  EXPECT_EQ(wrong->wrong, 5'000u);
}

TEST(neural_layer_problem, says_where_an_exponential_overflows) {
  problem_call c(*problem, of(1009, "large"), 1);
  answer_right(c);
  std::size_t i = 0;
  while (std::abs(c.array<float>(0)[i] / 255 * c.array<float>(1)[i]) < 89) ++i;
  c.array<float>(2)[i] = std::numeric_limits<float>::quiet_NaN();
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, std::vector{i});
  EXPECT_NE(wrong->explanation.find("beyond float32"), std::string::npos) << wrong->explanation;
}

TEST(neural_layer_problem, inputs_follow_from_the_seed_alone) {
  for (const char* data : kinds) {
    const problem_call a(*problem, of(100'003, data), 3), b(*problem, of(100'003, data), 3),
        other(*problem, of(100'003, data), 4);
    for (const std::size_t k : {0, 1}) {
      EXPECT_EQ(a.bytes(k), b.bytes(k)) << data;
      EXPECT_NE(a.bytes(k), other.bytes(k)) << data;
    }
  }
}

TEST(neural_layer_problem, data_are_what_their_name_says) {
  const auto largest = [](const char* data) {
    problem_call c(*problem, of(100'003, data), 1);
    float grey = 0, weight = 0, least = 1;
    std::size_t whole = 0;
    for (const float g : c.array<float>(0)) {
      EXPECT_TRUE(g >= 0 && g <= 255);
      grey = std::max(grey, g);
      whole += g == std::floor(g);
    }
    for (const float w : c.array<float>(1)) {
      weight = std::max(weight, std::abs(w));
      least = std::min(least, w);
    }
    EXPECT_GT(grey, 254);
    EXPECT_LT(whole, 1000u);
    EXPECT_LT(least, 0);
    return weight;
  };
  EXPECT_NEAR(largest("image"), 1.5, 0.01);
  EXPECT_NEAR(largest("small"), 0.25, 0.01);
  EXPECT_NEAR(largest("large"), 400, 1);
}

TEST(neural_layer_problem, refuses_what_it_does_not_know) {
  EXPECT_EQ(
      refusal([] { problem_call(*problem, of(3, "blue"), 1); }),
      "a call with values 3, blue: the task knows no data \"blue\"; name one of image, small, large in task.json");
  EXPECT_EQ(
      refusal([] { problem->plan({.sizes = {{"rows", 3}}, .data = "image"}); }),
      "a call with rows 3, image: it has no size \"values\"; add \"values\" to the sizes of this case in task.json");
}

}  // namespace neural_layer_problem_test
