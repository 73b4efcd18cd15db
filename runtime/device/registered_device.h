#pragma once
// registered_device: how a device makes itself known. Each defines one, in its own folder; nobody else names it.

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR::detail {

struct device_description {
  std::string_view name;         ///< as in GRIDSTRIDE_TARGET; lives as long as the program
  bool automatic = false;        ///< chosen by programs that ask for no device, if the machine has it
  std::string (*why_missing)();  ///< a sentence; empty if this machine has such a device
  std::unique_ptr<backend> (*make)(device_kind kind);  ///< called once, and only if it has
};

/// Of static storage: from its construction on, the device is found by its kind and by its name.
class registered_device {
 public:
  /// Gives the device its kind: device_kind::engine and cuda to those of these names, the next number to others. Throws
  /// gs::error if there is a device of that name, or if there are most_device_kinds.
  explicit registered_device(const device_description& device);
  registered_device(const registered_device&) = delete;
  registered_device& operator=(const registered_device&) = delete;

  /// Null if this build has none.
  static const registered_device* of(device_kind kind) noexcept;
  static const registered_device* named(std::string_view name) noexcept;
  /// In the order of their kinds.
  static std::vector<const registered_device*> all();

  device_kind kind() const { return kind_; }
  std::string_view name() const { return device_.name; }
  bool automatic() const { return device_.automatic; }
  /// Asked for once: a driver may take a second to answer.
  const std::string& why_missing() const;
  std::unique_ptr<backend> make() const { return device_.make(kind_); }

 private:
  device_description device_;
  device_kind kind_;
  mutable std::once_flag asked_;
  mutable std::string missing_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
