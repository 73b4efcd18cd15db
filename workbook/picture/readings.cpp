#include "workbook/picture/readings.h"

#include "workbook/number_text.h"

namespace workbook {

std::vector<plot_reading> readings_at(const plot& p, const crosshair& c) {
  if (!c.geometry.shown) return {};
  return std::visit([&](const auto& kind) { return kind.readings(c); }, p);
}

std::string reading_text(double v, const axis& a) {
  const std::string number = significant(v, reading_digits);
  return a.unit.empty() ? number : number + " " + a.unit;
}

std::string reading_name(const axis& a, const char* otherwise) { return a.label.empty() ? otherwise : a.label; }

}  // namespace workbook
