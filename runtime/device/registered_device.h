#pragma once
// registered_device: how a device makes itself known. Each defines one, in its own folder; nobody else names it.

#include <memory>
#include <string>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR {

/// Of static storage: from its construction on, device_context finds the device by its kind.
class registered_device {
 public:
  using reason = std::string (*)();
  using maker = std::unique_ptr<backend> (*)();

  /// `why_missing` says as a sentence why this machine has no such device, and nothing if it has one; `make` is called
  /// once, and only if it has.
  registered_device(device_kind kind, reason why_missing, maker make) noexcept;
  registered_device(const registered_device&) = delete;
  registered_device& operator=(const registered_device&) = delete;

  /// The one of that kind; null if this build has none.
  static const registered_device* of(device_kind kind) noexcept;

  std::string why_missing() const { return why_missing_(); }
  std::unique_ptr<backend> make() const { return make_(); }

 private:
  reason why_missing_;
  maker make_;
};

}  // namespace gs::inline GS_FLAVOUR
