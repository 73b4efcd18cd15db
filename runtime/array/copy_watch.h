#pragma once
// copy_watch: who looks at each copy between host and device, for programs that judge what another's code does.

#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Its functions may be called by several threads at once.
class copy_watch {
 public:
  virtual ~copy_watch() = default;
  /// Before a copy to the device. Returns what is copied instead, as many bytes; or `from`.
  virtual const void* goes_to_device(const void* device, const void* from, std::size_t bytes) = 0;
  /// After a copy to the host.
  virtual void came_to_host(const void* to, const void* device, std::size_t bytes) = 0;
};

/// Has every copy of this program watched; by nobody if null. Returns who watched before.
copy_watch* watch_copies_by(copy_watch* watch);

}  // namespace gs::inline GS_FLAVOUR
