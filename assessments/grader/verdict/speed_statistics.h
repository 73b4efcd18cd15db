#pragma once
// How much faster one program is than another: paired times, the median of their ratios and its confidence interval.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace grader {

/// Times of two calls on the same inputs, one right after the other, in seconds.
struct time_pair {
  double baseline = 0, submission = 0;
};

struct ratio_estimate {
  double median = 0;         ///< of baseline / submission
  double low = 0, high = 0;  ///< its 95 % confidence interval
  double relative_width() const { return median > 0 ? (high - low) / median : 0; }
};

/// The interval is the bootstrap's percentile interval (B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap",
/// 1993, chapter 13) of 2000 samples; the same pairs give the same interval. Throws gs::error without a pair, and for a
/// time that isn't positive.
ratio_estimate estimate_ratio(std::span<const time_pair> pairs);

double median_of(std::vector<double> values);  ///< NaN if there are none

/// When to stop measuring, and when not to grade.
struct speed_rules {
  /// The least of six values is below the median and the greatest above it in 97 % of all cases: with fewer pairs no
  /// interval of 95 % exists.
  std::uint64_t fewest_pairs = 6;
  std::uint64_t most_pairs = 25;
  double seconds = 10;      ///< from the first pair on
  double narrow = 0.10;     ///< an interval narrower than this share of the median is enough
  double too_noisy = 0.30;  ///< wider than this: no grade
};

/// Makes pairs until the rules say stop; `time_baseline` and `time_submission` get the pair's number and return
/// seconds, and are called in the order A B, B A, A B, ..., so that a drift of the machine is as kind to one as to the
/// other. What they throw goes through. `now` is a clock in seconds.
std::vector<time_pair> measure_pairs(const std::function<double(std::uint64_t)>& time_baseline,
                                     const std::function<double(std::uint64_t)>& time_submission,
                                     const std::function<double()>& now, const speed_rules& rules = {});

/// Whether a ratio is known well enough to be graded: its interval is narrow enough, or wholly on one side of where
/// points begin and end, so that every ratio in it would earn the same.
bool is_certain(const ratio_estimate& ratio, double at_least, double full, const speed_rules& rules = {});

/// The share of a criterion's points that a ratio earns: none below `at_least`, half at it, all from `full` on, and in
/// a straight line between. A ratio whose interval reaches `at_least` counts as having reached it: what the noise hides
/// is not held against anyone.
double share_of_points(const ratio_estimate& ratio, double at_least, double full);

}  // namespace grader
