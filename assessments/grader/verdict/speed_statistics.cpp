#include "assessments/grader/verdict/speed_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "runtime/core/error.h"

namespace grader {

double median_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*std::ranges::max_element(values.begin(), middle) + *middle) / 2;
}

ratio_estimate estimate_ratio(std::span<const time_pair> pairs) {
  if (pairs.empty()) throw gs::error("estimating a ratio of times", "there are none", "measure at least one pair");
  std::vector<double> ratios;
  for (const time_pair& p : pairs) {
    if (!(p.baseline > 0 && p.submission > 0))
      throw gs::error("estimating a ratio of times", "one of them isn't positive", "measure with a finer clock");
    ratios.push_back(p.baseline / p.submission);
  }
  constexpr std::size_t samples = 2000;
  std::mt19937_64 draw(ratios.size());
  std::uniform_int_distribution<std::size_t> any(0, ratios.size() - 1);
  std::vector<double> medians, sample(ratios.size());
  for (std::size_t k = 0; k < samples; ++k) {
    for (double& one : sample) one = ratios[any(draw)];
    medians.push_back(median_of(sample));
  }
  std::ranges::sort(medians);
  return {median_of(ratios), medians[samples / 40], medians[samples - 1 - samples / 40]};
}

std::vector<time_pair> measure_pairs(const std::function<double(std::uint64_t)>& time_baseline,
                                     const std::function<double(std::uint64_t)>& time_submission,
                                     const std::function<double()>& now, const speed_rules& rules) {
  std::vector<time_pair> pairs;
  const double start = now();
  while (pairs.size() < rules.most_pairs) {
    const std::uint64_t number = pairs.size();
    time_pair& p = pairs.emplace_back();
    if (number % 2 == 0) p.baseline = time_baseline(number);
    p.submission = time_submission(number);
    if (number % 2 == 1) p.baseline = time_baseline(number);
    if (pairs.size() < rules.fewest_pairs) continue;
    if (estimate_ratio(pairs).relative_width() < rules.narrow || now() - start > rules.seconds) break;
  }
  return pairs;
}

bool is_certain(const ratio_estimate& ratio, double at_least, double full, const speed_rules& rules) {
  return ratio.relative_width() <= rules.too_noisy || ratio.low >= full || ratio.high < at_least;
}

double share_of_points(const ratio_estimate& ratio, double at_least, double full) {
  if (ratio.high < at_least) return 0;
  if (ratio.median >= full || at_least >= full) return 1;
  return 0.5 + 0.5 * std::max(0.0, ratio.median - at_least) / (full - at_least);
}

}  // namespace grader
