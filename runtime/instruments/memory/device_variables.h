#pragma once
// device_variables: variables that the program has declared for the device. On the engine they are the process's own,
// and host code reaches them by their names; on a GPU the host has other ones of those names.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/observe/site.h"

namespace gs::inline GS_FLAVOUR::instruments {

struct device_variable {
  std::string name;
  std::size_t bytes = 0;
  site made = unknown_site;
};

/// Those of the program, by address. They are never taken out: what find() returns stays.
class device_variables {
 public:
  void add(std::uintptr_t begin, std::size_t bytes, std::string_view name, site made) {
    const std::lock_guard lock(mutex_);
    by_begin_[begin] = {std::string(name), bytes, made};
  }
  /// The one that the address lies in, or null.
  const device_variable* find(std::uintptr_t address) const {
    const std::lock_guard lock(mutex_);
    const auto after = by_begin_.upper_bound(address);
    if (after == by_begin_.begin()) return nullptr;
    const auto& [begin, variable] = *std::prev(after);
    return address - begin < variable.bytes ? &variable : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, device_variable> by_begin_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
