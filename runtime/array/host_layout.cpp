#include "runtime/array/host_layout.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {

void check_row_major(const host_layout& layout) {
  const std::size_t gap = layout.first_gap();
  if (gap == layout.extents.rank()) return;
  std::size_t expected = 1;
  for (std::size_t d = gap + 1; d < layout.extents.rank(); ++d) expected *= layout.extents[d];
  throw error("a host array to write to",
              fmt::format("its elements are not row-major and contiguous (stride {} in dimension {}, expected {})",
                          layout.strides[gap], gap, expected),
              "write to an xt::xarray<T> rows of that shape, then a = rows;");
}

void refuse_rank(std::size_t rank, const shape& result) {
  throw error(fmt::format("an xt::xtensor of rank {}", rank),
              fmt::format("the result's shape is {}", to_string(result)),
              "use xt::xarray, or a container of that rank");
}

}  // namespace gs::inline GS_FLAVOUR
