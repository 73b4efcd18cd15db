// The statistics against values worked out by hand or by NumPy, and against simulation.
#include "bench/measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
  std::vector<double> ours, peer;
  for (int i = 0; i < 21; ++i) {
    const double drift = 1 + 0.1 * i;  // the machine becomes three times slower
    peer.push_back(2 * drift);
    ours.push_back(2.2 * drift);
  }
  const estimate e = paired_ratio(ours, peer);
  EXPECT_NEAR(e.median, 1.1, 1e-12);
  EXPECT_NEAR(e.low, 1.1, 1e-12);
  EXPECT_NEAR(e.high, 1.1, 1e-12);
}

TEST(statistics, pairs_need_partners) {
  EXPECT_THROW(paired_ratio(std::vector{1.0, 2.0}, std::vector{1.0}), gs::error);
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
