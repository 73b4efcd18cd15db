#pragma once
// device_library: how a device whose libraries are its own makes them known.

#include <array>
#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Of static storage, in the file that calls the device's library: from its construction on, calls of this type on the
/// device's streams are queued by its function. Calls without such a function are queued as host code.
///   const device_library<gemm_call<float>> product(device_kind::cuda, &queue_product<float>);
template <class Call>
class device_library {
 public:
  using function = void (*)(queue& device_queue, const Call& call);

  device_library(device_kind kind, function queue_call) noexcept { known[static_cast<std::size_t>(kind)] = queue_call; }
  device_library(const device_library&) = delete;
  device_library& operator=(const device_library&) = delete;

  /// Null if the device has none.
  static function of(device_kind kind) noexcept { return known[static_cast<std::size_t>(kind)]; }

 private:
  static inline constinit std::array<function, most_device_kinds>
      known{};  // there before any other static object is made
};

}  // namespace gs::inline GS_FLAVOUR::detail
