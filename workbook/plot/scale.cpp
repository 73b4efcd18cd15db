#include "workbook/plot/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "workbook/number_text.h"

namespace workbook {
namespace {

// Beyond this, differences of values overflow.
constexpr double largest = 1e300;
constexpr double smallest = std::numeric_limits<double>::denorm_min();  // on a logarithmic axis

double power_of_ten(int n) { return std::pow(10.0, n); }

// The steps 1, 2 or 5 times a power of ten that is nearest above range / wanted (Heckbert, "Nice numbers for graph
// labels", Graphics Gems, 1990).
double nice_step(double range, int count) {
  const double raw = range / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * 0.999) return factor * power;
  return 10 * power;
}

tick_marks linear_ticks(const scale& s, int count) {
  tick_marks marks;
  const double low = std::min(s.low(), s.high()), high = std::max(s.low(), s.high());
  const double nice = nice_step(high - low, count), step = s.whole() ? std::max(nice, 1.0) : nice;
  const double widest = std::max(std::abs(low), std::abs(high));
  if (!(step > 0) || !std::isfinite(step)) return marks;
  if (widest >= 1e5 || widest < 1e-3)  // no power of ten far below 1e-300 is a number that can be divided by
    marks.exponent = 3 * static_cast<int>(std::max(std::floor(std::log10(widest) / 3), -100.0));
  const double factor = power_of_ten(marks.exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / factor) + 1e-9)));
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  constexpr double greatest_whole = 9007199254740992;  // 2^53: beyond it, the next whole number is no double
  if (!(last - first < 1000) || std::max(std::abs(first), std::abs(last)) >= greatest_whole)
    return marks;  // the range is too narrow for its place among the numbers
  for (double k = first; k <= last; ++k) {
    const double at = k * step;
    std::string label = fmt::format("{:.{}f}", std::abs(at / factor), decimals);
    if (decimals == 0 && widest / factor >= 1e4) label = grouped(std::llround(std::abs(at / factor)));
    marks.ticks.push_back({at, (at < 0 ? "−" : "") + label});
  }
  return marks;
}

std::string decade_label(int exponent, bool plain) {
  if (!plain) return "10" + superscript(exponent);
  return exponent < 0 ? fmt::format("{:.{}f}", power_of_ten(exponent), -exponent)
                      : fmt::format("{:.0f}", power_of_ten(exponent));
}

// Of too many powers of ten every 2nd, 3rd, 5th, 10th, 20th, 50th, ... is labelled, as long as two are left.
int decade_step(int first, int last, int count) {
  const auto labels = [&](int step) {
    int n = 0;
    for (int e = first; e <= last; ++e) n += e % step == 0 ? 1 : 0;
    return n;
  };
  int step = 1;
  for (int power = 1;; power *= 10)
    for (int factor : {1, 2, 3, 5}) {
      if (factor == 3 && power > 1) continue;
      if (labels(step) <= count || labels(factor * power) < 2) return step;
      step = factor * power;
    }
}

tick_marks logarithmic_ticks(const scale& s, int count) {
  tick_marks marks;
  const double low = std::min(s.low(), s.high()), high = std::max(s.low(), s.high());
  if (!(low >= smallest && high <= std::numeric_limits<double>::max())) return marks;
  const int from = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int to = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const auto inside = [&](double v) { return v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9); };
  const int first = inside(power_of_ten(from)) ? from : from + 1, decades = to - first + 1;
  if (decades <= 1 && high / low < 3) return linear_ticks(scale(low, high, false, s.whole()), count);

  const bool plain = from >= -4 && to <= 4;
  const int stride = decade_step(first, to, count);
  const int small_stride = std::max(1, stride / 5);
  const bool label_within = decades <= 2;  // too few powers of ten: 2 and 5 are labelled as well
  for (int e = from; e <= to; ++e) {
    if (e % small_stride != 0) continue;
    for (int m = 1; m <= (stride > 1 ? 1 : 9); ++m) {
      const double at = m * power_of_ten(e);
      if (!inside(at)) continue;
      std::string label;
      if (m == 1 && e % stride == 0) label = decade_label(e, plain);
      if (m > 1 && label_within && (m == 2 || m == 5))
        label = plain ? significant(at, 1) : fmt::format("{}×10{}", m, superscript(e));
      marks.ticks.push_back({at, label});
    }
  }
  for (tick& t : marks.ticks) std::erase(t.label, ',');
  return marks;
}

// The least and the greatest finite number, side by side in lanes that the compiler makes vectors of.
template <bool Positive, class T>
void add_finite(interval& range, std::span<const T> values) {
  constexpr std::size_t lanes = 32;
  std::array<T, lanes> low, high;
  low.fill(std::numeric_limits<T>::infinity());
  high.fill(-std::numeric_limits<T>::infinity());
  const auto add = [&](std::size_t lane, T v) {
    const bool counts = v - v == 0 && (!Positive || v > 0);
    low[lane] = counts && v < low[lane] ? v : low[lane];
    high[lane] = counts && v > high[lane] ? v : high[lane];
  };
  const std::size_t whole = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, values[i + lane]);
  for (std::size_t i = whole; i < values.size(); ++i) add(i - whole, values[i]);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (low[lane] <= high[lane]) {
      range.add(static_cast<double>(low[lane]));
      range.add(static_cast<double>(high[lane]));
    }
}

}  // namespace

void add_extent(interval& range, const samples& values, bool log) {
  if (values.is_regular()) {
    for (std::size_t i = 0, n = values.size(); i < n; ++i)
      if (const double v = values[i]; std::isfinite(v) && (!log || v > 0)) range.add(v);
    return;
  }
  values.visit([&](const auto stored) { log ? add_finite<true>(range, stored) : add_finite<false>(range, stored); });
}

scale::scale(double low, double high, bool log, bool whole) : low_(low), high_(high), log_(log), whole_(whole) {
  from_ = log ? std::log(low) : low;
  per_unit_ = 1 / ((log ? std::log(high) : high) - from_);
}

double scale::operator()(double v) const {
  if (!log_) return (v - low_) * per_unit_;
  if (!(v > 0)) return std::numeric_limits<double>::quiet_NaN();
  return (std::log(v) - from_) * per_unit_;
}

double scale::at(double fraction) const {
  if (fraction == 0) return low_;
  if (fraction == 1) return high_;
  if (log_) return std::exp(from_ + fraction * (std::log(high_) - from_));
  return low_ + fraction * (high_ - low_);
}

scale scale_for(const axis& a, const interval& data, double padding, bool from_zero) {
  // An impossible end counts as not given.
  const auto possible = [&](const std::optional<double>& end) {
    return end && std::abs(*end) <= largest && (!a.log || *end > 0) ? end : std::nullopt;
  };
  const std::optional<double> min = possible(a.min), max = possible(a.max);
  double low = data.low, high = data.high;
  if (data.empty()) {
    low = a.log ? 1 : 0;
    high = a.log ? 10 : 1;
    // If the axis asks for one end, the other must lie beyond it.
    if (min) high = a.log ? *min * 10 : *min + 1;
    if (max) low = a.log ? *max / 10 : *max - 1;
  }
  low = std::clamp(low, -largest, largest);
  high = std::clamp(high, -largest, largest);
  if (a.log) {
    if (high / low < 1 + 1e-12) {
      low /= 2;
      high *= 2;
    } else if (std::isfinite(high / low)) {
      const double widen = std::pow(high / low, padding);
      low /= widen;
      high *= widen;
    }
  } else {
    if (from_zero) {
      low = std::min(low, 0.0);
      high = std::max(high, 0.0);
    }
    const double magnitude = std::max(std::abs(low), std::abs(high));
    if (high - low <= 1e-12 * magnitude || high == low) {
      const double half = magnitude > 0 ? 0.1 * magnitude : 1;
      low -= half;
      high += half;
    } else {
      const double widen = padding * (high - low);
      low = low >= 0 ? std::max(low - widen, 0.0) : low - widen;
      high = high <= 0 ? std::min(high + widen, 0.0) : high + widen;
    }
  }
  if (min) low = *min;
  if (max) high = *max;
  if (!(low < high)) {  // one end was given, and all data lies beyond it
    if (min)
      high = a.log ? low * 10 : low + std::max(1.0, std::abs(low));
    else
      low = a.log ? high / 10 : high - std::max(1.0, std::abs(high));
  }
  if (a.log) {
    constexpr double greatest = std::numeric_limits<double>::max();
    low = std::clamp(low, smallest, greatest / 2);
    high = std::min(high, greatest);
    if (!(low < high)) high = 2 * low;
  }
  return {low, high, a.log, a.whole};
}

tick_marks ticks_for(const scale& s, int count) {
  return s.log() ? logarithmic_ticks(s, count) : linear_ticks(s, count);
}

std::string axis_title(const axis& a, int exponent) {
  std::string unit = exponent != 0 ? "10" + superscript(exponent) : "";
  if (!a.unit.empty()) unit += (unit.empty() ? "" : " ") + a.unit;
  if (unit.empty()) return a.label;
  return a.label.empty() ? "[" + unit + "]" : a.label + " [" + unit + "]";
}

std::string superscript(int n) {
  static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = n < 0 ? "⁻" : "";
  for (char c : std::to_string(std::abs(n))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

}  // namespace workbook
