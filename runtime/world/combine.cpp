#include "runtime/world/combine.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_order_of_complex_numbers(const rank_place& place) {
  throw error(fmt::format("minimum or maximum over ranks, at {}", to_text(place)), "complex numbers have no order",
              "give a function of two elements that chooses, allreduce<f>(x)");
}

}  // namespace gs::inline GS_FLAVOUR::detail
