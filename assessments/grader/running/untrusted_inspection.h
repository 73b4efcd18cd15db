#pragma once
// The instruments' report, as sent by a submission's own process.

#include <optional>
#include <string>

#include "runtime/instruments/results/inspection.h"

namespace grader {

/// The inspection in the JSON text; empty if there is none. Refuses what is nested deeper than an inspection
/// can be, since each level, one byte of text, takes much more memory.
std::optional<gs::inspection> read_untrusted_inspection(const std::string& json);

}  // namespace grader
