#pragma once
// The layout of a host array in memory, and the errors of the container libraries' adaptors.

#include <array>
#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The extents of a host array and, along each of its dimensions, the step from an element to the next, in elements. A
/// step may be negative, or 0 where one element is repeated. Where the extent is 1 it means nothing.
struct host_layout {
  shape extents;
  std::array<std::ptrdiff_t, shape::max_rank> strides;  // only the first rank() entries have a value
};

/// Whether elements of these extents and steps lie row by row without gaps.
template <class Extents, class Strides>
bool is_row_major(const Extents& extents, const Strides& strides) {
  std::ptrdiff_t expected = 1;
  bool gaps = false;
  for (std::size_t d = extents.size(); d-- > 0;) {
    gaps |= extents[d] > 1 && static_cast<std::ptrdiff_t>(strides[d]) != expected;
    expected *= static_cast<std::ptrdiff_t>(extents[d]);
  }
  return !gaps || expected == 0;
}

/// Throws gs::error: an output must be row-major without gaps, and this array isn't.
[[noreturn]] void refuse_layout(const host_layout& layout);
/// Throws gs::error: a container of a fixed rank can't hold a result of that shape.
[[noreturn]] void refuse_rank(std::size_t rank, const shape& result);

}  // namespace gs::inline GS_FLAVOUR::detail
