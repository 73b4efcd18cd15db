// The paired comparison on made-up times: estimates, when it stops, the points.

#include "assessments/grader/verdict/speed_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "runtime/core/error.h"

namespace speed_statistics_test {

using grader::estimate_ratio, grader::measure_pairs, grader::median_of, grader::ratio_estimate, grader::share_of_points,
    grader::time_pair;

std::vector<time_pair> noisy_pairs(std::size_t n, double ratio, double noise, unsigned seed) {
  std::mt19937 draw(seed);
  std::lognormal_distribution<double> factor(0, noise);
  std::vector<time_pair> pairs;
  for (std::size_t k = 0; k < n; ++k) pairs.push_back({ratio * factor(draw), factor(draw)});
  return pairs;
}

TEST(medians, are_in_the_middle) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of({7}), 7);
  EXPECT_TRUE(std::isnan(median_of({})));
}

TEST(ratios, of_equal_times_are_certain) {
  const ratio_estimate r = estimate_ratio(std::vector<time_pair>(6, {3, 2}));
  EXPECT_EQ(r.median, 1.5);
  EXPECT_EQ(r.low, 1.5);
  EXPECT_EQ(r.high, 1.5);
  EXPECT_EQ(r.relative_width(), 0);
}

// A machine that drifts by a factor of ten changes both times of a pair.
TEST(ratios, do_not_see_a_drift) {
  std::vector<time_pair> pairs;
  for (int k = 1; k <= 10; ++k) pairs.push_back({3.0 * k, 2.0 * k});
  EXPECT_DOUBLE_EQ(estimate_ratio(pairs).high, 1.5);
}

TEST(ratios, bear_an_outlier) {
  std::vector<time_pair> pairs(9, {3, 2});
  pairs.push_back({3, 200});
  const ratio_estimate r = estimate_ratio(pairs);
  EXPECT_EQ(r.median, 1.5);
  EXPECT_EQ(r.low, 1.5);
}

// The interval must cover the true ratio about as often as it says: 95 of 100 times, with room for chance and for what
// the bootstrap lacks with few pairs.
TEST(ratios, lie_in_their_interval) {
  int covered = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const ratio_estimate r = estimate_ratio(noisy_pairs(15, 1.3, 0.1, seed));
    EXPECT_LE(r.low, r.median);
    EXPECT_LE(r.median, r.high);
    covered += r.low <= 1.3 && 1.3 <= r.high;
  }
  EXPECT_GE(covered, 360);
  EXPECT_LT(covered, 400);
}

TEST(ratios, narrow_with_more_pairs) {
  EXPECT_LT(estimate_ratio(noisy_pairs(200, 1, 0.1, 1)).relative_width(),
            estimate_ratio(noisy_pairs(10, 1, 0.1, 1)).relative_width());
}

TEST(ratios, are_the_same_for_the_same_pairs) {
  const auto pairs = noisy_pairs(12, 2, 0.2, 5);
  EXPECT_EQ(estimate_ratio(pairs).low, estimate_ratio(pairs).low);
}

TEST(ratios, need_pairs_of_positive_times) {
  const auto refusal = [](const std::vector<time_pair>& pairs) -> std::string {
    try {
      estimate_ratio(pairs);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({}), "estimating a ratio of times: there are none; measure at least one pair");
  const std::string not_positive =
      "estimating a ratio of times: one of them isn't positive; measure with a finer clock";
  EXPECT_EQ(refusal({{1, 0}}), not_positive);
  EXPECT_EQ(refusal({{-1, 1}}), not_positive);
  EXPECT_EQ(refusal({{1, std::numeric_limits<double>::quiet_NaN()}}), not_positive);
}

// The calls in order, "B" for the baseline and "S" for the submission; the clock advances by a second with each.
struct machine {
  std::string calls;
  double time = 0;
  std::mt19937 draw{3};
  double noise = 0;

  double call(char contestant, double seconds) {
    calls += contestant;
    time += 1;
    return seconds * std::lognormal_distribution<double>(0, noise)(draw);
  }
  std::vector<time_pair> measure(const grader::speed_rules& rules) {
    return measure_pairs([&](std::uint64_t) { return call('B', 3); }, [&](std::uint64_t) { return call('S', 2); },
                         [&] { return time; }, rules);
  }
};

TEST(pairs, alternate_and_stop_when_it_is_certain) {
  machine m;
  const auto pairs = m.measure({.seconds = 1000});
  EXPECT_EQ(m.calls, "BSSBBSSBBSSB");
  ASSERT_EQ(pairs.size(), 6u);
  EXPECT_EQ(pairs[1].baseline, 3);
  EXPECT_EQ(pairs[1].submission, 2);
}

TEST(pairs, stop_at_the_most) {
  machine m;
  m.noise = 1;
  EXPECT_EQ(m.measure({.seconds = 1000}).size(), 25u);
}

TEST(pairs, stop_when_time_is_up_but_not_before_six) {
  machine m;
  m.noise = 1;
  EXPECT_EQ(m.measure({.seconds = 3}).size(), 6u);
  machine longer;
  longer.noise = 1;
  EXPECT_EQ(longer.measure({.seconds = 19}).size(), 10u);
}

TEST(points, grow_with_the_ratio) {
  const auto share = [](double ratio) { return share_of_points({ratio, ratio, ratio}, 1, 2); };
  EXPECT_EQ(share(0.99), 0);
  EXPECT_EQ(share(1), 0.5);
  EXPECT_DOUBLE_EQ(share(1.5), 0.75);
  EXPECT_EQ(share(2), 1);
  EXPECT_EQ(share(9), 1);
}

TEST(points, forgive_what_the_noise_hides) {
  EXPECT_EQ(share_of_points({0.98, 0.95, 1.01}, 1, 2), 0.5);
  EXPECT_EQ(share_of_points({0.98, 0.95, 0.99}, 1, 2), 0);
  EXPECT_EQ(share_of_points({0.98, 0.95, 1.01}, 1, 1), 1);
}

TEST(certainty, is_a_narrow_interval_or_one_that_makes_no_difference) {
  EXPECT_TRUE(grader::is_certain({1.5, 1.4, 1.6}, 1, 2));
  EXPECT_FALSE(grader::is_certain({1.5, 1.2, 1.8}, 1, 2));
  EXPECT_TRUE(grader::is_certain({4, 2.1, 9}, 1, 2));
  EXPECT_TRUE(grader::is_certain({0.5, 0.2, 0.9}, 1, 2));
  EXPECT_FALSE(grader::is_certain({0.5, 0.2, 1.1}, 1, 2));
}

}  // namespace speed_statistics_test
