#include "bench/measure/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
