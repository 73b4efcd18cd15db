// Task A3's trusted side: the transpose passes, one changed bit doesn't.

#include <bit>
#include <cmath>

#include "tests/assessments/tasks/problem_call.h"

namespace transpose_problem_test {

const auto problem = grader::problem_of("A3");
struct picture {
  std::size_t rows, columns, channels;
  std::size_t size() const { return rows * columns * channels; }
};
std::ostream& operator<<(std::ostream& out, const picture& p) {
  return out << p.rows << " x " << p.columns << " x " << p.channels;
}
const picture pictures[] = {{0, 0, 1},   {0, 5, 3},   {5, 0, 8},    {1, 1, 1},   {1, 33, 3},   {33, 1, 2},
                            {31, 32, 5}, {33, 31, 3}, {97, 101, 7}, {64, 96, 4}, {1009, 3, 3}, {641, 1013, 3}};

grader::test_case of(const picture& p, const char* data = "uniform") {
  return {.sizes = {{"channels", p.channels}, {"columns", p.columns}, {"rows", p.rows}}, .data = data};
}
void answer_right(problem_call& c, const picture& p) {
  for (std::size_t row = 0; row < p.rows; ++row)
    for (std::size_t column = 0; column < p.columns; ++column)
      for (std::size_t k = 0; k < p.channels; ++k)
        c.array<std::uint32_t>(1)[(column * p.rows + row) * p.channels + k] =
            c.array<std::uint32_t>(0)[(row * p.columns + column) * p.channels + k];
}

TEST(transpose_problem, swaps_rows_and_columns) {
  const auto plan = problem->plan(of({7, 5, 3}));
  ASSERT_EQ(plan.arrays.size(), 2u);
  EXPECT_EQ(plan.arrays[0].role, grader::array_role::device_input);
  EXPECT_EQ(plan.arrays[0].extents, (std::vector<std::size_t>{7, 5, 3}));
  EXPECT_EQ(plan.arrays[1].role, grader::array_role::device_output);
  EXPECT_EQ(plan.arrays[1].extents, (std::vector<std::size_t>{5, 7, 3}));
}

TEST(transpose_problem, accepts_the_transpose_of_every_shape) {
  for (const char* data : {"uniform", "bits"})
    for (const picture& p : pictures) {
      problem_call c(*problem, of(p, data), p.size());
      answer_right(c, p);
      EXPECT_FALSE(c.check()) << p << " " << data;
    }
}

TEST(transpose_problem, rejects_one_changed_bit_and_says_where) {
  for (const char* data : {"uniform", "bits"})
    for (const picture& p : pictures)
      for (const std::size_t i : some_of(p.size())) {
        problem_call c(*problem, of(p, data), 3);
        answer_right(c, p);
        c.array<std::uint32_t>(1)[i] ^= 1;
        const auto wrong = c.check();
        ASSERT_TRUE(wrong) << p << " " << data;
        EXPECT_EQ(wrong->array, "out");
        EXPECT_EQ(wrong->index, (std::vector{i / p.channels / p.rows, i / p.channels % p.rows, i % p.channels}));
        EXPECT_EQ(wrong->extents, (std::vector{p.columns, p.rows, p.channels}));
        EXPECT_EQ(wrong->wrong, 1u);
        EXPECT_EQ(wrong->tolerance, 0);
        if (std::isnan(wrong->got)) continue;
        EXPECT_EQ(wrong->got, static_cast<double>(c.array<float>(1)[i]));
        EXPECT_EQ(wrong->expected, static_cast<double>(std::bit_cast<float>(c.array<std::uint32_t>(1)[i] ^ 1)));
      }
}

TEST(transpose_problem, names_the_first_in_the_order_of_the_output) {
  const picture p{641, 1013, 3};
  problem_call c(*problem, of(p), 3);
  answer_right(c, p);
  for (const std::size_t i : {500'000, 600'000, 300'001, 300'000}) c.array<std::uint32_t>(1)[i] ^= 1;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, (std::vector<std::size_t>{100'000 / 641, 100'000 % 641, 0}));
  EXPECT_EQ(wrong->wrong, 4u);
}

TEST(transpose_problem, rejects_the_same_elements_in_the_same_order) {
  for (const picture& p : pictures) {
    if (p.rows < 2 || p.columns < 2) continue;
    problem_call c(*problem, of(p), 3);
    std::ranges::copy(c.array<float>(0), c.array<float>(1).begin());
    EXPECT_TRUE(c.check()) << p;
  }
}

TEST(transpose_problem, tells_zeros_apart_by_their_bits) {
  problem_call c(*problem, of({1, 1, 1}), 3);
  c.array<float>(0)[0] = -0.0f;
  c.array<float>(1)[0] = 0.0f;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->explanation, "in(0, 0, 0), the bits 0x80000000; out has 0x00000000");
}

TEST(transpose_problem, inputs_follow_from_the_seed_alone) {
  for (const char* data : {"uniform", "bits"}) {
    const problem_call a(*problem, of({641, 1013, 3}, data), 3), b(*problem, of({641, 1013, 3}, data), 3),
        other(*problem, of({641, 1013, 3}, data), 4);
    EXPECT_EQ(a.bytes(0), b.bytes(0));
    EXPECT_NE(a.bytes(0), other.bytes(0));
  }
}

TEST(transpose_problem, bits_hold_all_kinds_of_numbers) {
  problem_call c(*problem, of({641, 1013, 1}, "bits"), 3);
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
      refusal([] { problem_call(*problem, of({3, 3, 2}, "blue"), 1); }),
      "a call with channels 2, columns 3, rows 3, blue: the task has no data \"blue\"; name one of uniform, bits in "
      "task.json");
  EXPECT_EQ(refusal([] { problem->plan({.sizes = {{"rows", 3}}, .data = "uniform"}); }),
            "a call with rows 3, uniform: it has no size \"columns\"; add \"columns\" to the sizes of this case in "
            "task.json");
  for (const std::size_t channels : {0, 9})
    EXPECT_EQ(refusal([&] { problem->plan(of({3, 3, channels})); }),
              "a picture of " + std::to_string(channels) +
                  " channels: A3 promises 1 to 8; change \"channels\" in "
                  "task.json");
}

// All pixels are right, and each has its channels in the other order.
TEST(transpose_problem, rejects_turned_pixels) {
  const picture p{33, 31, 3};
  problem_call c(*problem, of(p), 3);
  answer_right(c, p);
  const auto out = c.array<float>(1);
  for (std::size_t k = 0; k < out.size(); k += 3) std::swap(out[k], out[k + 2]);
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->wrong, 2u * 33 * 31);
}

}  // namespace transpose_problem_test
