#include "runtime/array/index.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <span>

#include "runtime/core/error.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_index(std::size_t i, const access_place& place, std::size_t d, const std::size_t* extents,
                  std::size_t rank) {
  throw error(fmt::format("{}:{}: index {} along dimension {}", place.file_name(), place.line(),
                          static_cast<std::ptrdiff_t>(i), d),
              fmt::format("the array's shape is {}", to_string(shape(std::span(extents, rank)))),
              extents[d] == 0 ? "it has no elements along that dimension: check its extent first"
                              : fmt::format("use an index of 0 to {}", extents[d] - 1));
}

}  // namespace gs::inline GS_FLAVOUR::detail

#endif
