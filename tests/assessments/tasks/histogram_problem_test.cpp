// Task A2's trusted side: exact counts pass, a changed one doesn't, and the data are what their names say.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/assessments/tasks/problem_call.h"

namespace histogram_problem_test {

const auto problem = grader::problem_of("A2");
const char* const kinds[] = {"normal", "skewed", "constant", "nan_and_infinite", "edges"};
struct size {
  std::size_t values, rows, bins;
};
std::ostream& operator<<(std::ostream& out, const size& s) {
  return out << s.values << " values, " << s.rows << " rows, " << s.bins << " bins, ";
}
const size sizes[] = {{0, 0, 3},          {0, 1, 1},        {0, 5, 4096},         {1, 1, 1},       {31, 1, 10},
                      {32, 32, 2},        {33, 11, 7},      {33, 3, 100},         {1009, 1, 4096}, {1009, 1009, 4},
                      {1'000'003, 1, 10}, {600'000, 2, 10}, {600'000, 30'000, 10}};

grader::test_case of(const size& s, const char* data) {
  return {.sizes = {{"bins", s.bins}, {"rows", s.rows}, {"values", s.values}}, .data = data};
}
float low(const problem_call& c) { return static_cast<float>(c.plan().numbers[0]); }
float high(const problem_call& c) { return static_cast<float>(c.plan().numbers[1]); }

std::size_t bins(const problem_call& c) { return c.plan().arrays[1].extents[1]; }

// The definition in task.h, one operation after the other.
float position(const problem_call& c, float x) {
  const float width = high(c) - low(c);
  const float scale = static_cast<float>(bins(c)) / width;
  const float distance = x - low(c);
  return distance * scale;
}
void answer_right(problem_call& c) {
  const auto counts = c.array<unsigned>(1);
  std::ranges::fill(counts, 0u);
  const auto values = c.array<float>(0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / c.plan().arrays[0].extents[1];
    const float p = position(c, values[i]);
    if (p >= 0 && p < static_cast<float>(bins(c))) ++counts[row * bins(c) + static_cast<std::size_t>(p)];
  }
}

TEST(histogram_problem, takes_values_and_limits_and_delivers_counts) {
  const auto plan = problem->plan(of({14, 2, 3}, "normal"));
  ASSERT_EQ(plan.arrays.size(), 2u);
  EXPECT_EQ(plan.arrays[0].role, grader::array_role::device_input);
  EXPECT_EQ(plan.arrays[0].extents, (std::vector<std::size_t>{2, 7}));
  EXPECT_EQ(plan.arrays[1].role, grader::array_role::device_output);
  EXPECT_EQ(plan.arrays[1].extents, (std::vector<std::size_t>{2, 3}));
  ASSERT_EQ(plan.numbers.size(), 2u);
  EXPECT_LT(plan.numbers[0], plan.numbers[1]);
  for (const double number : plan.numbers) EXPECT_EQ(number, static_cast<double>(static_cast<float>(number)));
}

TEST(histogram_problem, accepts_the_right_counts_of_all_data_and_sizes) {
  for (const char* data : kinds)
    for (const size& s : sizes) {
      problem_call c(*problem, of(s, data), s.values + 1);
      answer_right(c);
      EXPECT_FALSE(c.check()) << s << data;
    }
}

// Where no value is near an edge, float64 and a search among the edges must give the same.
TEST(histogram_problem, agrees_with_float64_and_a_search) {
  for (const char* data : {"normal", "skewed", "constant", "nan_and_infinite"}) {
    problem_call c(*problem, of({100'003, 1, 16}, data), 11);
    const double width = (static_cast<double>(high(c)) - static_cast<double>(low(c))) / 16;
    std::vector<double> edges(17);
    for (std::size_t k = 0; k < edges.size(); ++k)
      edges[k] = static_cast<double>(low(c)) + static_cast<double>(k) * width;
    std::vector<unsigned> certain(16), possible(16);
    for (const float x : c.array<float>(0)) {
      for (std::size_t k = 0; k < 16; ++k) {
        const double v = x, slack = 1e-6;
        certain[k] += v >= edges[k] + slack && v < edges[k + 1] - slack;
        possible[k] += v >= edges[k] - slack && v < edges[k + 1] + slack;
      }
    }
    answer_right(c);
    ASSERT_FALSE(c.check()) << data;
    for (std::size_t k = 0; k < 16; ++k) {
      EXPECT_GE(c.array<unsigned>(1)[k], certain[k]) << data << " " << k;
      EXPECT_LE(c.array<unsigned>(1)[k], possible[k]) << data << " " << k;
    }
  }
}

TEST(histogram_problem, rejects_a_count_that_is_one_off_and_says_which) {
  for (const char* data : kinds)
    for (const size& s : sizes)
      for (const std::size_t k : some_of(s.rows * s.bins)) {
        problem_call c(*problem, of(s, data), 3);
        answer_right(c);
        const unsigned right = c.array<unsigned>(1)[k]++;
        const auto wrong = c.check();
        ASSERT_TRUE(wrong) << s << data;
        EXPECT_EQ(wrong->array, "counts");
        EXPECT_EQ(wrong->index, (std::vector{k / s.bins, k % s.bins}));
        EXPECT_EQ(wrong->extents, (std::vector{s.rows, s.bins}));
        EXPECT_EQ(wrong->expected, right);
        EXPECT_EQ(wrong->got, right + 1.0);
        EXPECT_EQ(wrong->tolerance, 0);
        EXPECT_EQ(wrong->wrong, 1u);
      }
}

TEST(histogram_problem, rejects_rows_that_changed_places) {
  for (const char* data : kinds) {
    problem_call c(*problem, of({30'000, 3, 1000}, data), 3);
    answer_right(c);
    const auto counts = c.array<unsigned>(1);
    std::ranges::swap_ranges(counts.first(1000), counts.last(1000));
    EXPECT_TRUE(c.check()) << data;
  }
}

TEST(histogram_problem, tells_the_sums_of_a_wrong_answer) {
  problem_call c(*problem, of({2018, 2, 10}, "constant"), 3);
  answer_right(c);
  const auto full = std::ranges::max_element(c.array<unsigned>(1).subspan(10));
  EXPECT_EQ(*full, 1009u);
  *full = 1000;
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->explanation.starts_with("row 1's bin from ")) << wrong->explanation;
  EXPECT_TRUE(wrong->explanation.ends_with(
      "; all counts of the row together are 1000, and 1009 of its 1009 values lie in bins"))
      << wrong->explanation;
}

TEST(histogram_problem, inputs_follow_from_the_seed_alone) {
  for (const char* data : kinds) {
    const problem_call a(*problem, of({100'003, 1, 10}, data), 3), b(*problem, of({100'003, 1, 10}, data), 3),
        other(*problem, of({100'003, 1, 10}, data), 4);
    EXPECT_EQ(a.bytes(0), b.bytes(0)) << data;
    EXPECT_NE(a.bytes(0), other.bytes(0)) << data;
  }
}

TEST(histogram_problem, every_kind_of_data_leaves_something_to_get_wrong) {
  const std::size_t n = 100'000;
  for (const char* data : {"normal", "skewed", "nan_and_infinite", "edges"}) {
    problem_call c(*problem, of({n, 1, 10}, data), 1);
    answer_right(c);
    const auto counts = c.array<unsigned>(1);
    const auto counted = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    EXPECT_GT(counted, n / 2) << data;
    EXPECT_LT(counted, n) << data << ": some values lie outside";
    EXPECT_GT(*std::ranges::min_element(counts), 0u) << data;
  }
}

TEST(histogram_problem, nine_of_ten_skewed_values_are_the_same) {
  problem_call c(*problem, of({200'000, 2, 10}, "skewed"), 1);
  std::vector<float> most;
  for (const std::size_t row : {0, 1}) {
    const auto values = c.array<float>(0).subspan(row * 100'000, 100'000);
    std::vector<float> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    most.push_back(sorted[50'000]);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(sorted, most.back())), 90'000, 600);
  }
  EXPECT_NE(most[0], most[1]) << "each row has its own";
}

TEST(histogram_problem, unusual_values_are_among_the_unusual) {
  problem_call c(*problem, of({100'000, 1, 10}, "nan_and_infinite"), 1);
  std::size_t nan = 0, infinite = 0, negative_nan = 0, negative_zero = 0;
  for (const float x : c.array<float>(0)) {
    nan += std::isnan(x);
    negative_nan += std::isnan(x) && std::signbit(x);
    infinite += std::isinf(x);
    negative_zero += x == 0 && std::signbit(x);
  }
  EXPECT_GT(nan, 10'000u);
  EXPECT_GT(negative_nan, 5'000u);
  EXPECT_GT(infinite, 10'000u);
  EXPECT_GT(negative_zero, 5'000u);
}

TEST(histogram_problem, edges_are_edges_or_the_floats_beside) {
  problem_call c(*problem, of({100'000, 1, 10}, "edges"), 1);
  const double width = (static_cast<double>(high(c)) - static_cast<double>(low(c))) / 10;
  std::size_t on = 0;
  for (const float x : c.array<float>(0)) {
    const double k = std::round((static_cast<double>(x) - static_cast<double>(low(c))) / width);
    const auto edge = static_cast<float>(static_cast<double>(low(c)) + k * width);
    float nearest = edge;
    for (int step = 0; step < 2 && nearest != x; ++step) nearest = std::nextafter(nearest, x);
    EXPECT_EQ(nearest, x);
    on += edge == x;
  }
  EXPECT_NEAR(static_cast<double>(on), 20'000, 1'000);
}

TEST(histogram_problem, refuses_what_it_does_not_know) {
  EXPECT_EQ(refusal([] { problem->plan(of({3, 1, 3}, "blue")); }),
            "a call with bins 3, rows 1, values 3, blue: the task has no data \"blue\"; name one of normal, skewed, "
            "constant, "
            "nan_and_infinite, edges in task.json");
  EXPECT_EQ(refusal([] { problem->plan({.sizes = {{"rows", 1}, {"values", 3}}, .data = "normal"}); }),
            "a call with rows 1, values 3, normal: it has no size \"bins\"; add \"bins\" to the sizes of this case in "
            "task.json");
  for (const std::size_t bins : {0, 4097})
    EXPECT_EQ(refusal([&] { problem->plan(of({3, 1, bins}, "normal")); }),
              "a histogram of " + std::to_string(bins) + " bins: A2 promises 1 to 4096; change \"bins\" in task.json");
  EXPECT_EQ(refusal([] { problem->plan(of({10, 3, 4}, "normal")); }),
            "a call with 10 values in 3 rows: rows have the same length; change \"values\" or \"rows\" in task.json");
  EXPECT_EQ(refusal([] { problem->plan(of({10, 0, 4}, "normal")); }),
            "a call with 10 values in 0 rows: rows have the same length; change \"values\" or \"rows\" in task.json");
}

}  // namespace histogram_problem_test
