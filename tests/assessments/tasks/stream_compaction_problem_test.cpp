// Task A5's trusted side: what is kept passes, one changed bit doesn't, and a case keeps as many as it says.

#include <bit>
#include <cmath>
#include <limits>

#include "tests/assessments/tasks/problem_call.h"

namespace stream_compaction_problem_test {

const auto problem = grader::problem_of("A5");
const char* const kinds_of_data[] = {"scattered", "runs", "edges"};
const std::pair<std::size_t, std::size_t> sizes[] = {{0, 0},   {1, 0},   {1, 1},    {31, 16},     {32, 0},
                                                     {33, 33}, {65, 64}, {1009, 1}, {1009, 1008}, {100'003, 40'000}};

grader::test_case of(std::size_t values, std::size_t kept, const char* data) {
  return {.sizes = {{"kept", kept}, {"values", values}}, .data = data};
}
// What is at least the threshold, by a plain loop; and how many there are.
std::size_t answer_right(problem_call& c) {
  const auto threshold = static_cast<float>(c.plan().numbers[0]);
  std::size_t count = 0;
  for (const float x : c.array<float>(0))
    if (x >= threshold) {
      if (count < c.size(1)) c.array<float>(1)[count] = x;
      ++count;
    }
  return count;
}

TEST(stream_compaction_problem, keeps_as_many_as_the_case_says) {
  for (const char* data : kinds_of_data)
    for (const auto& [values, kept] : sizes) {
      problem_call c(*problem, of(values, kept, data), values + kept);
      EXPECT_EQ(answer_right(c), kept) << values << " " << data;
      EXPECT_FALSE(c.check()) << kept << " of " << values << " " << data;
    }
}

TEST(stream_compaction_problem, rejects_one_changed_bit_and_says_where) {
  for (const char* data : kinds_of_data)
    for (const auto& [values, kept] : sizes)
      for (const std::size_t k : some_of(kept)) {
        problem_call c(*problem, of(values, kept, data), 3);
        answer_right(c);
        c.array<std::uint32_t>(1)[k] ^= 1;
        const auto wrong = c.check();
        ASSERT_TRUE(wrong) << kept << " of " << values << " " << data;
        EXPECT_EQ(wrong->array, "kept");
        EXPECT_EQ(wrong->index, std::vector{k});
        EXPECT_EQ(wrong->extents, std::vector{kept});
        EXPECT_EQ(wrong->wrong, 1u);
        EXPECT_EQ(wrong->tolerance, 0);
      }
}

TEST(stream_compaction_problem, rejects_another_order_and_says_whose_place_it_is) {
  problem_call c(*problem, of(1009, 500, "scattered"), 3);
  answer_right(c);
  const auto kept = c.array<float>(1);
  std::swap(kept[7], kept[300]);
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, std::vector<std::size_t>{7});
  EXPECT_EQ(wrong->wrong, 2u);
  EXPECT_EQ(wrong->explanation, "the value that belongs to place 300");
}

TEST(stream_compaction_problem, says_what_is_there_instead) {
  problem_call c(*problem, of(33, 16, "scattered"), 3);
  answer_right(c);
  c.array<float>(1)[5] = -100;
  EXPECT_EQ(c.check()->explanation, "below the threshold or NaN");
  c.array<float>(1)[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(c.check()->explanation, "below the threshold or NaN");
  c.array<float>(1)[5] = 100;
  EXPECT_EQ(c.check()->explanation, "none of the values");
}

TEST(stream_compaction_problem, its_edges_are_next_to_the_threshold_and_far_away) {
  problem_call c(*problem, of(100'003, 50'000, "edges"), 3);
  const auto threshold = static_cast<float>(c.plan().numbers[0]);
  std::size_t equal = 0, above = 0, below = 0, nan = 0, infinite = 0;
  for (const float x : c.array<float>(0)) {
    equal += x == threshold;
    above += x == std::nextafter(threshold, 2.0f);
    below += x == std::nextafter(threshold, -2.0f);
    nan += std::isnan(x);
    infinite += std::isinf(x);
  }
  for (const std::size_t count : {equal, above, below, nan, infinite}) EXPECT_GT(count, 5'000u);
}

TEST(stream_compaction_problem, runs_are_one_behind_the_other) {
  problem_call c(*problem, of(1009, 500, "runs"), 3);
  const auto threshold = static_cast<float>(c.plan().numbers[0]);
  const auto values = c.array<float>(0);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < values.size(); ++i) changes += (values[i] >= threshold) != (values[i - 1] >= threshold);
  EXPECT_GE(changes, 1u);
  EXPECT_LE(changes, 2u);
}

TEST(stream_compaction_problem, inputs_follow_from_the_seed_alone) {
  for (const char* data : kinds_of_data) {
    const problem_call a(*problem, of(1009, 500, data), 3), b(*problem, of(1009, 500, data), 3),
        other(*problem, of(1009, 500, data), 4);
    EXPECT_EQ(a.bytes(0), b.bytes(0));
    EXPECT_NE(a.bytes(0), other.bytes(0));
  }
}

TEST(stream_compaction_problem, refuses_what_it_does_not_know) {
  EXPECT_EQ(refusal([] { problem_call(*problem, of(3, 1, "blue"), 1); }),
            "a call with kept 1, values 3, blue: the task has no data \"blue\"; name one of scattered, runs, edges in "
            "task.json");
  EXPECT_EQ(refusal([] { problem->plan(of(3, 4, "runs")); }),
            "a call that keeps 4 of 3 values: there aren't as many; change \"kept\" in task.json");
}

}  // namespace stream_compaction_problem_test
