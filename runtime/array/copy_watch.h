#pragma once
// copy_watch: an observer of every copy between host and device, for programs that judge other people's code.

#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Its functions may be called by several threads at once.
class copy_watch {
 public:
  virtual ~copy_watch() = default;
  /// Before a copy to the device. Returns the bytes to copy instead, as many of them, or `from` itself.
  virtual const void* goes_to_device(const void* device, const void* from, std::size_t bytes) = 0;
  /// After a copy to the host.
  virtual void came_to_host(const void* to, const void* device, std::size_t bytes) = 0;
};

/// From now on every copy of this program is reported to `watch`, or to nobody if null. Returns the previous watch.
copy_watch* watch_copies_by(copy_watch* watch);

}  // namespace gs::inline GS_FLAVOUR::detail
