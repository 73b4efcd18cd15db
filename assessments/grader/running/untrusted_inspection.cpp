#include "assessments/grader/running/untrusted_inspection.h"

#include <stdexcept>

#include "workbook/json/inspection_json.h"
#include "workbook/json/read_json.h"

namespace grader {

std::optional<gs::inspection> read_untrusted_inspection(const std::string& json) try {
  return workbook::read_inspection(
      workbook::read_json(json, "reading an inspection", "write it with this version of Gridstride"));
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace grader
