#pragma once
// How a host array lies in memory, and what an adaptor of a container library says about arrays it can't take.

#include <array>
#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// The extents of a host array and, along each of its dimensions, the step from an element to the next, in elements. A
/// step may be negative, or 0 where one element is seen again and again. Where the extent is 1 it means nothing.
struct host_layout {
  shape extents;
  std::array<std::ptrdiff_t, shape::max_rank> strides;  // only the first rank ones have a value

  /// The first dimension, from the last one on, whose elements are not where those of a row-major array without gaps
  /// would be; the rank if there is none.
  std::size_t first_gap() const {
    std::ptrdiff_t expected = 1;
    std::size_t gap = extents.rank();
    for (std::size_t d = extents.rank(); d-- > 0;) {
      if (extents[d] == 0) return extents.rank();
      if (extents[d] > 1 && strides[d] != expected && gap == extents.rank()) gap = d;
      expected *= static_cast<std::ptrdiff_t>(extents[d]);
    }
    return gap;
  }
  bool is_row_major() const { return first_gap() == extents.rank(); }
};

/// Throws gs::error unless the elements lie row by row without gaps: results are written where they belong.
void check_row_major(const host_layout& layout);
/// Throws gs::error: a container of a fixed rank can't hold a result of that shape.
[[noreturn]] void refuse_rank(std::size_t rank, const shape& result);

}  // namespace gs::inline GS_FLAVOUR
