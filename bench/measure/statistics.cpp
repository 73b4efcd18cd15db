#include "bench/measure/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "runtime/core/error.h"

namespace bench {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  std::ranges::sort(copy);
  return copy;
}

double quantile_of_sorted(const std::vector<double>& values, double q) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

// The largest k for which at most 2.5 % of n fair coin tosses give fewer than k heads: the k-th smallest and the k-th
// largest sample then enclose the median with 95 %. 0 if there is none.
std::size_t enclosing_rank(std::size_t n) {
  double probability = std::exp2(-static_cast<double>(n));  // of exactly k heads
  double below = probability;                               // of at most k heads
  std::size_t k = 0;
  while (k < n && below <= 0.025) {
    ++k;
    probability *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += probability;
  }
  return k;
}

}  // namespace

double quantile(std::span<const double> samples, double q) { return quantile_of_sorted(sorted(samples), q); }

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

summary summarize(std::span<const double> samples) {
  const auto values = sorted(samples);
  return {.median = quantile_of_sorted(values, 0.5),
          .lower_quartile = quantile_of_sorted(values, 0.25),
          .upper_quartile = quantile_of_sorted(values, 0.75),
          .best = quantile_of_sorted(values, 0)};
}

estimate estimate_median(std::span<const double> samples) {
  const auto values = sorted(samples);
  if (values.empty()) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none};
  }
  const std::size_t rank = std::max<std::size_t>(enclosing_rank(values.size()), 1);
  return {quantile_of_sorted(values, 0.5), values[rank - 1], values[values.size() - rank]};
}

estimate paired_ratio(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    throw gs::error("a paired ratio", fmt::format("{} samples against {}", a.size(), b.size()),
                    "measure both in every round");
  std::vector<double> ratios(a.size());
  std::ranges::transform(a, b, ratios.begin(), std::divides<>{});
  return estimate_median(ratios);
}

estimate unpaired_ratio(const estimate& a, const estimate& b) {
  return {a.median / b.median, a.low / b.high, a.high / b.low};
}

double student_t(std::size_t degrees_of_freedom, double confidence) {
  // The probability within [-t, t], a finite sum (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3,
  // 4).
  const auto within = [&](double t) {
    const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees_of_freedom)));
    const bool odd = degrees_of_freedom % 2 == 1;
    double term = odd ? std::cos(angle) : 1, sum = degrees_of_freedom == 1 ? 0 : term;
    for (std::size_t k = odd ? 3 : 2; k < degrees_of_freedom; k += 2) {
      term *= std::pow(std::cos(angle), 2) * static_cast<double>(k - 1) / static_cast<double>(k);
      sum += term;
    }
    return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  };
  double low = 0, high = 1;
  while (within(high) < confidence) high *= 2;
  for (int halvings = 0; halvings < 60; ++halvings) {
    const double middle = std::midpoint(low, high);
    (within(middle) < confidence ? low : high) = middle;
  }
  return high;
}

power_law fit_power_law(std::span<const double> sizes, std::span<const double> seconds) {
  const auto positive = [](double v) { return std::isfinite(v) && v > 0; };
  if (sizes.size() != seconds.size() || !std::ranges::all_of(sizes, positive) ||
      !std::ranges::all_of(seconds, positive))
    throw gs::error("the growth of a time", fmt::format("{} sizes and {} times", sizes.size(), seconds.size()),
                    "give one positive time for each positive size");
  const auto n = static_cast<double>(sizes.size());
  double mean_x = 0, mean_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) mean_x += std::log(sizes[i]) / n, mean_y += std::log(seconds[i]) / n;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]) - mean_x;
    sum_xx += x * x, sum_xy += x * (std::log(seconds[i]) - mean_y);
  }
  if (sizes.size() < 2 || sum_xx <= 0)
    throw gs::error("the growth of a time", "fewer than two different sizes", "measure more of them");
  power_law law{.exponent = sum_xy / sum_xx};
  law.factor = std::exp(mean_y - law.exponent * mean_x);
  double squares = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double off = std::log(seconds[i] / law.factor) - law.exponent * std::log(sizes[i]);
    squares += off * off;
    law.deviation = std::max(law.deviation, std::exp(std::abs(off)));
  }
  const double half = sizes.size() == 2 ? std::numeric_limits<double>::infinity()
                                        : student_t(sizes.size() - 2, 0.95) * std::sqrt(squares / (n - 2) / sum_xx);
  law.low = law.exponent - half, law.high = law.exponent + half;
  return law;
}

verdict judge(const estimate& ratio, double wanted) {
  if (ratio.high <= wanted) return verdict::met;
  if (ratio.low > wanted) return verdict::missed;
  return verdict::undecided;
}

std::string_view to_string(verdict v) {
  switch (v) {
    case verdict::met:
      return "met";
    case verdict::missed:
      return "missed";
    case verdict::undecided:
      return "noise too large";
  }
  return "?";
}

}  // namespace bench
