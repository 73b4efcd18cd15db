#include "workbook/json/json_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace workbook {

nlohmann::ordered_json json_number(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}

nlohmann::ordered_json json_numbers(const samples& s) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < s.size(); ++i) list.push_back(json_number(s[i]));
  return list;
}

nlohmann::ordered_json json_axis(const axis& a) {
  nlohmann::ordered_json object = {{"label", a.label}, {"unit", a.unit}, {"log", a.log}};
  if (a.min) object["min"] = *a.min;
  if (a.max) object["max"] = *a.max;
  if (a.whole) object["whole"] = true;
  return object;
}

}  // namespace workbook
