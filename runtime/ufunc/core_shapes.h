#pragma once
// The shapes in a call of a generalised ufunc: each operand's last dimensions belong to one call of the function (its
// core), those in front are looped over and broadcast.

#include <array>
#include <cstddef>
#include <span>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/ufunc/layout.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The shapes that follow from the arguments of a call.
struct core_shapes {
  shape loop;                                                 ///< one call of the function per element
  std::array<std::size_t, layout::max_dimensions> extents{};  ///< of the layout's dimensions
};

/// Reads loop and extents from the shapes of the inputs, and of all outputs or of none. Dimensions of one name must
/// have one extent: unlike those of the loop they are never repeated. Throws gs::error that names the layout, the
/// operand and the dimension.
core_shapes match_core_shapes(const layout& core_layout, std::span<const shape> inputs, std::span<const shape> outputs);

/// The whole shape of operand `k` of the layout: the loop's, then its own dimensions.
shape operand_shape(const layout& core_layout, const core_shapes& call, std::size_t k);

/// `s` without its last `rank` dimensions.
shape outer_shape(const shape& s, std::size_t rank);

/// Throws gs::error: two outputs share memory.
[[noreturn]] void refuse_shared_outputs();

}  // namespace gs::inline GS_FLAVOUR::detail
