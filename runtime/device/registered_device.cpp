#include "runtime/device/registered_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// There before any other static object is made.
constinit std::array<const registered_device*, most_device_kinds> devices{};

// The runtime's own names have their places, whether or not the build has the devices.
device_kind kind_for(std::string_view name) {
  if (registered_device::named(name))
    throw error(fmt::format("a device called {}", name), "there is one of that name already",
                "give it a name of its own, and register it once");
  for (const device_kind own : {device_kind::engine, device_kind::cuda})
    if (name == to_string(own)) return own;
  const auto first = devices.begin() + own_device_kinds;
  const auto place = std::find(first, devices.end(), nullptr);
  if (place == devices.end())
    throw error(fmt::format("a device called {}", name), fmt::format("there are {} others", devices.end() - first),
                "raise most_device_kinds in runtime/device/target.h");
  return static_cast<device_kind>(place - devices.begin());
}

}  // namespace

registered_device::registered_device(const device_description& device) : device_(device), kind_(kind_for(device.name)) {
  devices[static_cast<std::size_t>(kind_)] = this;
}

const registered_device* registered_device::of(device_kind kind) noexcept {
  const auto number = static_cast<std::size_t>(kind);
  return number < devices.size() ? devices[number] : nullptr;
}

const registered_device* registered_device::named(std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(devices, [&](const auto* device) { return device && device->name() == name; });
  return found == devices.end() ? nullptr : *found;
}

std::vector<const registered_device*> registered_device::all() {
  std::vector<const registered_device*> known;
  std::ranges::copy_if(devices, std::back_inserter(known), [](const auto* device) { return device != nullptr; });
  return known;
}

const std::string& registered_device::why_missing() const {
  std::call_once(asked_, [this] { missing_ = device_.why_missing(); });
  return missing_;
}

}  // namespace gs::inline GS_FLAVOUR::detail
