#include "runtime/grad/tape_errors.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_overwritten(const std::source_location& place, const shape& extents) {
  throw error(fmt::format("the gradient of the call at {}:{}", place.file_name(), place.line()),
              fmt::format("an array of shape {} that it read has been overwritten since", to_string(extents)),
              "write to another array, or after the gradient has been computed");
}

void refuse_result_shape(const shape& extents) {
  throw error("a gradient of a function of arrays", fmt::format("the result has the shape {}", to_string(extents)),
              "return one number, as tape.sum does, or give the result's gradient to vjp");
}

void refuse_gradient_shape(const shape& gradient, const shape& result) {
  throw error(fmt::format("a gradient of shape {}", to_string(gradient)),
              fmt::format("the array that it belongs to has the shape {}", to_string(result)),
              "give one of that shape");
}

}  // namespace gs::inline GS_FLAVOUR::detail
