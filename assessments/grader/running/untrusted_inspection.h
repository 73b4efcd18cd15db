#pragma once
// What the instruments saw, as a submission's own process tells it.

#include <optional>
#include <string>

#include "runtime/instruments/results/inspection.h"

namespace grader {

/// The inspection that the JSON text holds; nothing if it holds none. Refuses what is nested deeper than an inspection
/// can be: each level of nothing but brackets takes many times its own byte.
std::optional<gs::inspection> read_untrusted_inspection(const std::string& json);

}  // namespace grader
