#include "runtime/array/host_layout.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_layout(const host_layout& layout) {
  std::size_t d = layout.extents.rank(), expected = 1;  // the first gap, from the last dimension on
  while (d-- > 1 && (layout.extents[d] == 1 || layout.strides[d] == static_cast<std::ptrdiff_t>(expected)))
    expected *= layout.extents[d];
  throw error("a host array to write to",
              fmt::format("its elements are not row-major and contiguous (stride {} in dimension {}, expected {})",
                          layout.strides[d], d, expected),
              "write to an xt::xarray<T> rows of that shape, then a = rows;");
}

void refuse_rank(std::size_t rank, const shape& result) {
  throw error(fmt::format("an xt::xtensor of rank {}", rank),
              fmt::format("the result's shape is {}", to_string(result)),
              "use xt::xarray, or a container of that rank");
}

}  // namespace gs::inline GS_FLAVOUR::detail
