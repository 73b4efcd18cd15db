#pragma once
// An inspection as JSON, and back: programs that run a lesson as a child read its findings from its report.

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "runtime/instruments/results/inspection.h"
#include "workbook/json/read_json.h"

namespace workbook {

/// Everything an inspection holds; workbook/README.md describes it.
nlohmann::ordered_json inspection_json(const gs::inspection& result);

/// The inspection that inspection_json() wrote. Throws gs::error if a member is missing or malformed, or
/// the version is another one.
gs::inspection read_inspection(const read_json_value& description);

/// The inspection in the document that a lesson prints for --inspect --json. Throws gs::error if the text is no such
/// document.
gs::inspection inspection_of_report(std::string_view document);

}  // namespace workbook
