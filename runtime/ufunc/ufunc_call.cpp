#include "runtime/ufunc/ufunc_call.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_target(target requested) {
  throw error(fmt::format("a ufunc on target {}", to_string(requested)), "a device array among its arguments",
              "copy it with copy_to_host(), or leave out .on(...)");
}

}  // namespace gs::inline GS_FLAVOUR::detail
