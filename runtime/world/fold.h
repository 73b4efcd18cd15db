#pragma once
// gs::fold: how a reduction over ranks combines two elements.

#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// What a reduction over ranks does with two elements. Any other associative function of two is a template argument:
/// gs::world().allreduce<f>(x).
enum class fold : std::uint8_t { sum, product, minimum, maximum };

}  // namespace gs::inline GS_FLAVOUR
