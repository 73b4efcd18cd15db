#include "runtime/device/registered_device.h"

#include <array>
#include <cstddef>

namespace gs::inline GS_FLAVOUR {
namespace {

// There before any other static object is made.
constinit std::array<const registered_device*, device_kinds> devices{};

}  // namespace

registered_device::registered_device(device_kind kind, reason why_missing, maker make) noexcept
    : why_missing_(why_missing), make_(make) {
  devices[static_cast<std::size_t>(kind)] = this;
}

const registered_device* registered_device::of(device_kind kind) noexcept {
  return devices[static_cast<std::size_t>(kind)];
}

}  // namespace gs::inline GS_FLAVOUR
