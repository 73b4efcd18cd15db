#include "workbook/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/timing/timeit.h"

namespace workbook {
namespace {

// Puts commas between groups of three digits of the whole part of a decimal number.
std::string with_commas(std::string text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t end = std::min(text.find('.'), text.size());
  while (end > first + 3) {
    end -= 3;
    text.insert(end, ",");
  }
  return text;
}

void strip_zeros(std::string& text) {
  if (text.find('.') == text.npos) return;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
}

}  // namespace

std::string grouped(long long n) { return with_commas(std::to_string(n)); }

std::string significant(double v, int digits) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  if (v == 0) return std::signbit(v) ? "-0" : "0";
  // The exponent after rounding: 9.9996 with 4 digits is 10.
  std::string scientific = fmt::format("{:.{}e}", v, digits - 1);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent < -4 || exponent > 9) {
    std::string mantissa = scientific.substr(0, e);
    strip_zeros(mantissa);
    return mantissa + fmt::format("e{:+03}", exponent);
  }
  std::string text = fmt::format("{:.{}f}", v, std::max(0, digits - 1 - exponent));
  strip_zeros(text);
  return with_commas(text);
}

std::string shortest(double v) {
  if (!std::isfinite(v)) return significant(v, 1);
  const auto digits = [](auto number) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific).ptr;
    return static_cast<int>(
        std::count_if(text.data(), std::find(text.data(), end, 'e'), [](char c) { return c >= '0' && c <= '9'; }));
  };
  const auto single = static_cast<float>(v);
  return significant(v, static_cast<double>(single) == v ? digits(single) : digits(v));
}

std::string to_text(const quantity& q) {
  if (std::isnan(q.value) && (q.unit == "s" || q.unit.ends_with("/s"))) return "not timed";
  if (q.unit == "s") return gs::detail::format_seconds(q.value);
  if (q.unit.empty()) return significant(q.value, 3);
  if (q.value == 0 || !std::isfinite(q.value)) return significant(q.value, 3) + " " + q.unit;
  constexpr std::array prefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
  std::size_t k = 4;
  double scaled = q.value;
  while (std::abs(scaled) >= 999.5 && k + 1 < prefixes.size()) {
    scaled /= 1000;
    ++k;
  }
  // There is no millibyte: counts only get the prefixes of large numbers.
  while (std::abs(scaled) < 0.9995 && k > (q.unit.starts_with('B') || q.unit.starts_with("FLOP") ? 4 : 0)) {
    scaled *= 1000;
    --k;
  }
  return fmt::format("{} {}{}", significant(scaled, 3), prefixes[k], q.unit);
}

std::string value_text(double v, const std::string& unit) {
  const bool prefixed = unit == "s" || unit == "B" || unit == "B/s" || unit == "FLOP/s";
  return prefixed && std::isfinite(v) && v != 0 ? to_text(quantity{v, unit}) : significant(v, 3);
}

}  // namespace workbook
