#include "runtime/ufunc/ufunc_call.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {

target choose_target(const target_request& request, bool any_device_array_given) {
  if (any_device_array_given) {
    if (request.given && request.where != target::device)
      throw error(fmt::format("a ufunc on target {}", to_string(request.where)), "a device array among its arguments",
                  "copy it with copy_to_host(), or leave out .on(...)");
    return target::device;
  }
  return request.given ? request.where : default_target();
}

}  // namespace gs::inline GS_FLAVOUR
