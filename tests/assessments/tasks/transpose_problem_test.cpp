// Task A3's trusted side: the transpose passes, one changed bit doesn't.

#include <bit>
#include <cmath>

#include "tests/assessments/tasks/problem_call.h"

namespace transpose_problem_test {

const auto problem = grader::problem_of("A3");
const std::pair<std::size_t, std::size_t> shapes[] = {{0, 0},   {0, 5},   {5, 0},    {1, 1},   {1, 33},   {33, 1},
                                                      {31, 32}, {33, 31}, {97, 101}, {64, 96}, {1009, 3}, {641, 1013}};

grader::test_case of(std::size_t rows, std::size_t columns, const char* data = "uniform") {
  return {.sizes = {{"columns", columns}, {"rows", rows}}, .data = data};
}
void answer_right(problem_call& c) {
  const std::size_t rows = c.plan().arrays[0].extents[0], columns = c.plan().arrays[0].extents[1];
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      c.array<std::uint32_t>(1)[column * rows + row] = c.array<std::uint32_t>(0)[row * columns + column];
}

TEST(transpose_problem, swaps_the_extents) {
  const auto plan = problem->plan(of(7, 3));
  ASSERT_EQ(plan.arrays.size(), 2u);
  EXPECT_EQ(plan.arrays[0].role, grader::array_role::device_input);
  EXPECT_EQ(plan.arrays[0].extents, (std::vector<std::size_t>{7, 3}));
  EXPECT_EQ(plan.arrays[1].role, grader::array_role::device_output);
  EXPECT_EQ(plan.arrays[1].extents, (std::vector<std::size_t>{3, 7}));
}

TEST(transpose_problem, accepts_the_transpose_of_every_shape) {
  for (const char* data : {"uniform", "bits"})
    for (const auto& [rows, columns] : shapes) {
      problem_call c(*problem, of(rows, columns, data), rows + columns);
      answer_right(c);
      EXPECT_FALSE(c.check()) << rows << " x " << columns << " " << data;
    }
}

TEST(transpose_problem, rejects_one_changed_bit_and_says_where) {
  for (const char* data : {"uniform", "bits"})
    for (const auto& [rows, columns] : shapes)
      for (const std::size_t i : some_of(rows * columns)) {
        problem_call c(*problem, of(rows, columns, data), 3);
        answer_right(c);
        c.array<std::uint32_t>(1)[i] ^= 1;
        const auto wrong = c.check();
        ASSERT_TRUE(wrong) << rows << " x " << columns << " " << data;
        EXPECT_EQ(wrong->array, "out");
        EXPECT_EQ(wrong->index, (std::vector{i / rows, i % rows}));
        EXPECT_EQ(wrong->extents, (std::vector{columns, rows}));
        EXPECT_EQ(wrong->wrong, 1u);
        EXPECT_EQ(wrong->tolerance, 0);
        if (std::isnan(wrong->got)) continue;
        EXPECT_EQ(wrong->got, static_cast<double>(c.array<float>(1)[i]));
        EXPECT_EQ(wrong->expected, static_cast<double>(std::bit_cast<float>(c.array<std::uint32_t>(1)[i] ^ 1)));
      }
}

TEST(transpose_problem, names_the_first_in_the_order_of_the_output) {
  problem_call c(*problem, of(641, 1013), 3);
  answer_right(c);
  for (const std::size_t i : {500'000, 600'000, 300'001, 300'000}) c.array<std::uint32_t>(1)[i] ^= 1;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, (std::vector<std::size_t>{300'000 / 641, 300'000 % 641}));
  EXPECT_EQ(wrong->wrong, 4u);
}

TEST(transpose_problem, rejects_the_same_elements_in_the_same_order) {
  for (const auto& [rows, columns] : shapes) {
    if (rows < 2 || columns < 2) continue;
    problem_call c(*problem, of(rows, columns), 3);
    std::ranges::copy(c.array<float>(0), c.array<float>(1).begin());
    EXPECT_TRUE(c.check()) << rows << " x " << columns;
  }
}

TEST(transpose_problem, tells_zeros_apart_by_their_bits) {
  problem_call c(*problem, of(1, 1), 3);
  c.array<float>(0)[0] = -0.0f;
  c.array<float>(1)[0] = 0.0f;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->explanation, "in(0, 0), the bits 0x80000000; out has 0x00000000");
}

TEST(transpose_problem, inputs_follow_from_the_seed_alone) {
  for (const char* data : {"uniform", "bits"}) {
    const problem_call a(*problem, of(641, 1013, data), 3), b(*problem, of(641, 1013, data), 3),
        other(*problem, of(641, 1013, data), 4);
    EXPECT_EQ(a.bytes(0), b.bytes(0));
    EXPECT_NE(a.bytes(0), other.bytes(0));
  }
}

TEST(transpose_problem, bits_hold_all_kinds_of_numbers) {
  problem_call c(*problem, of(641, 1013, "bits"), 3);
  std::size_t nan = 0, negative = 0, subnormal = 0;
  for (const float x : c.array<float>(0)) {
    nan += std::isnan(x);
    negative += std::signbit(x);
    subnormal += std::fpclassify(x) == FP_SUBNORMAL;
  }
  EXPECT_GT(nan, 2'000u);
  EXPECT_GT(subnormal, 2'000u);
  EXPECT_NEAR(static_cast<double>(negative), 641 * 1013 / 2.0, 2'000);
}

TEST(transpose_problem, refuses_what_it_does_not_know) {
  EXPECT_EQ(
      refusal([] { problem_call(*problem, of(3, 3, "blue"), 1); }),
      "a call with columns 3, rows 3, blue: the task knows no data \"blue\"; name one of uniform, bits in task.json");
  EXPECT_EQ(refusal([] { problem->plan({.sizes = {{"rows", 3}}, .data = "uniform"}); }),
            "a call with rows 3, uniform: it has no size \"columns\"; add \"columns\" to the sizes of this case in "
            "task.json");
}

}  // namespace transpose_problem_test
