#include "workbook/prediction.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/core/error.h"
#include "workbook/number_text.h"
#include "workbook/typed_number.h"

namespace workbook {

std::optional<double> tested_prediction::factor() const {
  if (!guess || !std::isfinite(measured) || !(measured * *guess > 0)) return {};
  return measured / *guess;
}

double parse_guess(const prediction& p, std::string_view text) {
  if (const auto value = typed_number(text); value && std::isfinite(static_cast<double>(*value)))
    return static_cast<double>(*value);
  throw gs::error("--guess-" + p.name, fmt::format("'{}' is not a number", text), "give one, such as 1e5, 100k or 2.5");
}

std::string answer_text(const prediction& p, double value) {
  if (std::isnan(value)) return "not measured";
  if (std::isinf(value)) return "none found";
  const bool prefixed = p.unit == "s" || p.unit == "B" || p.unit == "B/s" || p.unit == "FLOP/s";
  return prefixed ? to_text(quantity{value, p.unit}) : significant(value, 4) + (p.unit.empty() ? "" : " " + p.unit);
}

std::string comparison_text(const tested_prediction& p) {
  const std::optional<double> factor = p.factor();
  if (!factor) return "";
  const double times = std::max(*factor, 1 / *factor);
  if (times <= 1.05) return ", within 5 % of your guess";
  return *factor > 1 ? fmt::format(", {} times your guess", significant(times, 2))
                     : fmt::format("; your guess is {} times that", significant(times, 2));
}

}  // namespace workbook
