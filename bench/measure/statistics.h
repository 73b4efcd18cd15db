#pragma once
// Statistics of repeated timings: medians, quartiles, paired ratios and the conclusions they allow.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bench {

/// The value below which the fraction `q` of the samples lies, 0 <= q <= 1, interpolated between neighbours (Hyndman
/// and Fan's type 7, NumPy's default). NaN for no samples.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);

/// The description of a set of timings, in the samples' unit.
struct summary {
  double median, lower_quartile, upper_quartile, best;
  /// Half the interquartile range as a fraction of the median: 0.03 is "± 3 %".
  double spread() const { return (upper_quartile - lower_quartile) / 2 / median; }
};
summary summarize(std::span<const double> samples);

/// A median, and the interval that holds the true median with at least 95 % confidence whatever the distribution: the
/// order statistics of the sign test (Conover, Practical Nonparametric Statistics, 3.2). Under 6 samples no pair of
/// order statistics reaches 95 %, and the interval is all of them.
struct estimate {
  double median, low, high;
};
estimate estimate_median(std::span<const double> samples);

/// The ratios a[i] / b[i], which the machine's drift doesn't change if a[i] and b[i] were measured side by side.
/// Throws gs::error if the lengths differ.
estimate paired_ratio(std::span<const double> a, std::span<const double> b);

/// A ratio a / b of two medians that were measured apart: from the least to the largest that their intervals allow. Two
/// intervals of 95 % that don't touch happen by chance in less than one of 100 comparisons of equals (Schenker and
/// Gentleman, "On judging the significance of differences by examining the overlap between confidence intervals", The
/// American Statistician 55, 2001).
estimate unpaired_ratio(const estimate& a, const estimate& b);

/// seconds = factor * size^exponent, the line of least squares through the logarithms of both.
struct power_law {
  double factor = 1, exponent = 1;
  double low = 1, high = 1;  ///< the exponent's interval of 95 %; without limits for two sizes
  double deviation = 1;      ///< the largest factor by which a measurement is off the line: 1.1 is 10 %
};
/// The interval is Student's, as if the deviations were random (Draper and Smith, Applied Regression Analysis, 1.4);
/// if they come from a bend of the curve, it shows how little one exponent says. Throws gs::error for fewer than two
/// different sizes, or for a size or time that isn't positive.
power_law fit_power_law(std::span<const double> sizes, std::span<const double> seconds);

/// The t that Student's distribution exceeds in either direction with probability 1 - `confidence`.
double student_t(std::size_t degrees_of_freedom, double confidence);

/// Whether a ratio meets its demand.
enum class verdict {
  met,       ///< the whole interval is at or below `wanted`
  missed,    ///< the whole interval is above it
  undecided  ///< `wanted` lies inside the interval: the noise is too large to tell
};
verdict judge(const estimate& ratio, double wanted);
std::string_view to_string(verdict v);

}  // namespace bench
