#pragma once
// Numbers, series of them and axes as JSON.

#include <nlohmann/json_fwd.hpp>

#include "workbook/axis.h"
#include "workbook/samples.h"

namespace workbook {

/// A number; the strings "NaN", "inf" and "-inf" for those that JSON can't express.
nlohmann::ordered_json json_number(double v);
nlohmann::ordered_json json_numbers(const samples& s);
nlohmann::ordered_json json_axis(const axis& a);

}  // namespace workbook
