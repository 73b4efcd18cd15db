#include "runtime/array/host_layout.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {

void refuse_layout(std::ptrdiff_t stride, std::size_t dimension, std::ptrdiff_t expected) {
  throw error("a host array",
              fmt::format("its elements are not row-major and contiguous (stride {} in dimension {}, expected {})",
                          stride, dimension, expected),
              "copy it first: xt::xarray<T> rows = a;");
}

void refuse_rank(std::size_t rank, const shape& result) {
  throw error(fmt::format("an xt::xtensor of rank {}", rank),
              fmt::format("the result's shape is {}", to_string(result)),
              "use xt::xarray, or a container of that rank");
}

}  // namespace gs::inline GS_FLAVOUR
