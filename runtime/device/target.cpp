#include "runtime/device/target.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/device/registered_device.h"

namespace gs::inline GS_FLAVOUR {

std::string to_string(target t) {
  switch (t) {
    case target::cpu:
      return "cpu";
    case target::parallel:
      return "parallel";
    case target::device:
      return "device";
  }
  return "?";
}

std::string to_string(device_kind k) {
  if (k == device_kind::engine) return "engine";
  if (k == device_kind::cuda) return "cuda";
  const detail::registered_device* const device = detail::registered_device::of(k);
  return device ? std::string(device->name()) : fmt::format("device {}", static_cast<int>(k));
}

namespace {

// The runtime's own, whether or not this build has them, and all others.
std::vector<device_kind> known_devices() {
  std::vector<device_kind> kinds{device_kind::engine, device_kind::cuda};
  for (const detail::registered_device* device : detail::registered_device::all())
    if (static_cast<std::size_t>(device->kind()) >= detail::own_device_kinds) kinds.push_back(device->kind());
  return kinds;
}

}  // namespace

namespace detail {

target_choice parse_target(std::string_view text) {
  if (text.empty() || text == "device") return {};
  if (text == "cpu") return {.ufunc = target::cpu};
  if (text == "parallel") return {.ufunc = target::parallel};
  std::string choices = "cpu, parallel, device";
  const std::vector<device_kind> kinds = known_devices();
  for (const device_kind kind : kinds) {
    if (text == to_string(kind)) return {.device = kind};
    choices += (kind == kinds.back() ? " or " : ", ") + to_string(kind);
  }
  throw error("GRIDSTRIDE_TARGET", fmt::format("'{}'", text), "use " + choices);
}

}  // namespace detail

target default_target() {
  static const target the_target = [] {
    const char* text = std::getenv("GRIDSTRIDE_TARGET");
    const target asked = detail::parse_target(text ? text : "").ufunc;
    current_device();  // says now, not later, if the device asked for isn't there
    return asked;
  }();
  return the_target;
}

}  // namespace gs::inline GS_FLAVOUR
