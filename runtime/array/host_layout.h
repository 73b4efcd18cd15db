#pragma once
// What an adaptor of a container library says about host arrays it can't take.

#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// Throws gs::error: the elements don't lie row by row without gaps; `stride` was found where `expected` was needed.
[[noreturn]] void refuse_layout(std::ptrdiff_t stride, std::size_t dimension, std::ptrdiff_t expected);
/// Throws gs::error: a container of a fixed rank can't hold a result of that shape.
[[noreturn]] void refuse_rank(std::size_t rank, const shape& result);

}  // namespace gs::inline GS_FLAVOUR
