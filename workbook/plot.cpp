#include "workbook/plot.h"

#include <cmath>

namespace workbook {

void value_count::add(const samples& s) {
  values += s.size();
  for (std::size_t i = 0; i < s.size(); ++i) nan += std::isnan(s[i]);
}

const std::string& title_of(const plot& p) {
  return std::visit([](const auto& kind) -> const std::string& { return kind.title; }, p);
}

void validate(const plot& p) {
  std::visit([](const auto& kind) { kind.validate(); }, p);
}

bool only_nan(const plot& p) {
  const value_count count = std::visit([](const auto& kind) { return kind.count_values(); }, p);
  return count.values > 0 && count.nan == count.values;
}

}  // namespace workbook
