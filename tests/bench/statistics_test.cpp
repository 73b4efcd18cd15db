// The statistics against values worked out by hand or by NumPy, and against simulation.
#include "bench/measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bench/measure/stopping_rule.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

TEST(statistics, median_of_odd_even_one_and_none) {
  EXPECT_EQ(median(std::vector{5.0, 1.0, 3.0}), 3);
  EXPECT_EQ(median(std::vector{5.0, 1.0, 3.0, 4.0}), 3.5);
  EXPECT_EQ(median(std::vector{7.0}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(statistics, quantiles_as_numpy_gives_them) {
  const std::vector samples{9.0, 2.0, 7.0, 4.0, 1.0, 8.0};  // numpy.quantile([9, 2, 7, 4, 1, 8], q)
  EXPECT_DOUBLE_EQ(quantile(samples, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.1), 1.5);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.25), 2.5);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.75), 7.75);
  EXPECT_DOUBLE_EQ(quantile(samples, 1), 9);
}

TEST(statistics, summary) {
  const summary s = summarize(std::vector{10.0, 12.0, 8.0, 11.0, 9.0});
  EXPECT_DOUBLE_EQ(s.median, 10);
  EXPECT_DOUBLE_EQ(s.lower_quartile, 9);
  EXPECT_DOUBLE_EQ(s.upper_quartile, 11);
  EXPECT_DOUBLE_EQ(s.best, 8);
  EXPECT_DOUBLE_EQ(s.spread(), 0.1);
}

// Ranks of the sign test's 95 % interval, from printed tables (for example Conover's table A3 for p = 1/2).
TEST(statistics, ranks_of_the_interval) {
  const std::vector<std::pair<int, int>> rank_by_count{{1, 1},  {5, 1},  {6, 1},  {8, 1},   {9, 2},  {10, 2},
                                                       {15, 4}, {20, 6}, {25, 8}, {31, 10}, {50, 18}};
  for (const auto& [count, rank] : rank_by_count) {
    std::vector<double> samples;
    for (int i = count; i >= 1; --i) samples.push_back(i);
    const estimate e = estimate_median(samples);
    EXPECT_EQ(e.low, rank) << count << " samples";
    EXPECT_EQ(e.high, count + 1 - rank) << count << " samples";
    EXPECT_EQ(e.median, (count + 1) / 2.0) << count << " samples";
  }
}

TEST(statistics, interval_holds_the_median_of_a_skewed_distribution) {
  std::mt19937 random(7);
  std::exponential_distribution<double> skewed(1);
  constexpr int trials = 20000;
  int covered = 0;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> samples(21);
    for (double& s : samples) s = skewed(random);
    const estimate e = estimate_median(samples);
    covered += e.low <= std::log(2) && std::log(2) <= e.high;
  }
  // 21 samples give ranks 6 and 16, which cover 97.3 %.
  EXPECT_NEAR(static_cast<double>(covered) / trials, 0.973, 0.005);
}

TEST(statistics, a_paired_ratio_ignores_drift) {
  std::vector<double> our_seconds, peer;
  for (int i = 0; i < 21; ++i) {
    const double drift = 1 + 0.1 * i;  // the machine becomes three times slower
    peer.push_back(2 * drift);
    our_seconds.push_back(2.2 * drift);
  }
  const estimate e = paired_ratio(our_seconds, peer);
  EXPECT_NEAR(e.median, 1.1, 1e-12);
  EXPECT_NEAR(e.low, 1.1, 1e-12);
  EXPECT_NEAR(e.high, 1.1, 1e-12);
}

TEST(statistics, pairs_need_partners) {
  EXPECT_THROW(paired_ratio(std::vector{1.0, 2.0}, std::vector{1.0}), gs::error);
}

TEST(statistics, ratios_of_runs_apart_are_as_wide_as_both_intervals_allow) {
  const estimate e = unpaired_ratio({12, 11, 14}, {10, 8, 11});
  EXPECT_DOUBLE_EQ(e.median, 1.2);
  EXPECT_DOUBLE_EQ(e.low, 1);
  EXPECT_DOUBLE_EQ(e.high, 14.0 / 8);
}

// Printed tables, two-sided (for example Abramowitz and Stegun's 26.10).
TEST(statistics, students_t) {
  EXPECT_NEAR(student_t(1, 0.95), 12.706, 1e-3);
  EXPECT_NEAR(student_t(2, 0.95), 4.303, 1e-3);
  EXPECT_NEAR(student_t(3, 0.95), 3.182, 1e-3);
  EXPECT_NEAR(student_t(4, 0.99), 4.604, 1e-3);
  EXPECT_NEAR(student_t(7, 0.95), 2.365, 1e-3);
  EXPECT_NEAR(student_t(30, 0.95), 2.042, 1e-3);
  EXPECT_NEAR(student_t(1000, 0.95), 1.962, 1e-3);
}

TEST(statistics, a_power_law_is_found) {
  std::vector<double> sizes, seconds;
  for (const double n : {10.0, 100.0, 1000.0, 50000.0}) {
    sizes.push_back(n);
    seconds.push_back(3e-9 * std::pow(n, 1.5));
  }
  const power_law law = fit_power_law(sizes, seconds);
  EXPECT_NEAR(law.exponent, 1.5, 1e-12);
  EXPECT_NEAR(law.factor, 3e-9, 1e-18);
  EXPECT_NEAR(law.low, 1.5, 1e-9);
  EXPECT_NEAR(law.high, 1.5, 1e-9);
  EXPECT_NEAR(law.deviation, 1, 1e-9);
}

TEST(statistics, a_bend_shows_in_the_exponents_interval) {
  // A start that costs 1 and 0.001 an element. By scipy.stats.linregress and scipy.stats.t.ppf(0.975, 2).
  const power_law law = fit_power_law(std::vector{10.0, 100.0, 1000.0, 10000.0}, std::vector{1.01, 1.1, 2.0, 11.0});
  EXPECT_NEAR(law.exponent, 0.3370851245, 1e-9);
  EXPECT_NEAR(law.low, -0.1477744027, 1e-9);
  EXPECT_NEAR(law.high, 0.8219446516, 1e-9);
  EXPECT_NEAR(law.deviation, 1.6388784760, 1e-9);
}

TEST(statistics, two_sizes_leave_the_exponent_open) {
  const power_law law = fit_power_law(std::vector{1.0, 8.0}, std::vector{5.0, 10.0});
  EXPECT_NEAR(law.exponent, 1.0 / 3, 1e-12);
  EXPECT_TRUE(std::isinf(law.low) && std::isinf(law.high));
}

TEST(statistics, a_power_law_needs_sizes_and_times) {
  const auto error_of = [](std::vector<double> sizes, std::vector<double> seconds) -> std::string {
    try {
      fit_power_law(sizes, seconds);
    } catch (const gs::error& refused) {
      return refused.what();
    }
    return "";
  };
  const std::string too_few_sizes = "the growth of a time: fewer than two different sizes; measure more of them";
  EXPECT_EQ(error_of({}, {}), too_few_sizes);
  EXPECT_EQ(error_of({5}, {1}), too_few_sizes);
  EXPECT_EQ(error_of({5, 5}, {1, 2}), too_few_sizes);
  const std::string unequal_counts =
      "the growth of a time: 2 sizes and 2 times; give one positive time for each positive size";
  EXPECT_EQ(error_of({5, 0}, {1, 2}), unequal_counts);
  EXPECT_EQ(error_of({5, 6}, {1, std::nan("")}), unequal_counts);
  EXPECT_NE(error_of({5, 6}, {1}).find("2 sizes and 1 times"), std::string::npos);
}

TEST(statistics, an_interval_that_became_narrow_still_holds_the_median) {
  std::mt19937 random(11);
  std::lognormal_distribution<double> noise(0, 0.02);
  const stopping_rule rule{.least = 7, .most = 101, .narrow = 0.01};
  constexpr int trials = 2000;
  int covered = 0, early = 0;
  for (int t = 0; t < trials; ++t) {
    std::vector<entrant> entrants{{.name = "ours", .role = role::ours, .run = {}, .calls = 1, .seconds = {}}};
    std::vector<double>& seconds = entrants.front().seconds;
    do seconds.push_back(noise(random));
    while (!rule.ends(seconds.size(), uncertainty(entrants), 0, 1));
    const estimate e = estimate_median(seconds);
    covered += e.low <= 1 && 1 <= e.high;
    early += seconds.size() < rule.most;
  }
  EXPECT_GT(early, trials / 2) << "it hardly ever ended early, so this shows nothing";
  EXPECT_GT(static_cast<double>(covered) / trials, 0.93);
}

TEST(statistics, verdicts) {
  EXPECT_EQ(judge({1.1, 1.05, 1.15}, 1.15), verdict::met);
  EXPECT_EQ(judge({1.1, 1.05, 1.16}, 1.15), verdict::undecided);
  EXPECT_EQ(judge({1.2, 1.15, 1.3}, 1.15), verdict::undecided);
  EXPECT_EQ(judge({1.2, 1.16, 1.3}, 1.15), verdict::missed);
  EXPECT_EQ(to_string(verdict::undecided), "noise too large");
}

}  // namespace
}  // namespace bench
