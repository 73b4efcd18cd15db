#pragma once
// What the tape refuses.

#include <source_location>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Throw gs::error.
[[noreturn]] void refuse_overwritten(const std::source_location& place, const shape& extents);
[[noreturn]] void refuse_result_shape(const shape& extents);
[[noreturn]] void refuse_gradient_shape(const shape& gradient, const shape& result);

}  // namespace gs::inline GS_FLAVOUR::detail
