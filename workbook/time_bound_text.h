#pragma once
// The bound of a kernel's time on the GPU of an inspection, in words.

#include <string>
#include <string_view>

#include "runtime/instruments/results/inspection.h"

namespace workbook {

/// "Bound on H100 SXM: a launch takes at least 28.7 µs, by memory; 1.2 µs, by L1 cache, if L2 holds its arrays." The
/// least and the most, where the kernel has several shapes. Empty if none of its accesses was counted, or the GPU isn't
/// known here.
std::string time_bound_text(const gs::inspection& result, std::string_view kernel);

}  // namespace workbook
