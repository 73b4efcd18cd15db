#pragma once
// What a device must offer to the runtime: a backend and its queues, in a folder of its own, made known by one line
// (registered_device.h). Nothing else knows which device it talks to, with one exception: a device with a compiler of
// its own needs the types of a kernel, and gets them from runtime/launch/dispatch.h.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/device/host_work.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR {

/// What `device()` tells about a device. Sizes in bytes.
struct device_info {
  device_kind kind = device_kind::engine;
  std::string name;
  std::size_t memory = 0;           ///< size of the device's memory
  unsigned multiprocessors = 0;     ///< engine: cores
  unsigned compute_capability = 0;  ///< 90 for 9.0; 0 on the engine
};

namespace detail {

/// A point in a queue: done once everything queued before it has run.
class fence {
 public:
  virtual ~fence() = default;
  virtual bool done() = 0;
  virtual void wait() = 0;
  /// Seconds from the moment `start` was passed to the moment this one was; both must be done.
  virtual double seconds_since(fence& start) = 0;
};

/// Work in order: what a stream is made of. Destroying a queue doesn't wait; what was queued still runs.
class queue {
 public:
  virtual ~queue() = default;
  /// Waits until everything queued so far has run; throws the first error that happened in it.
  virtual void wait() = 0;
  /// True when nothing is queued or running.
  virtual bool idle() = 0;
  virtual std::shared_ptr<fence> mark() = 0;
  /// What is queued from now on starts after `point`. Throws gs::error for a point of another device.
  virtual void wait_for(std::shared_ptr<fence> point) = 0;
  /// Queues work that runs host code, and returns at once. What it throws is thrown by wait(). A device with a compiler
  /// of its own throws gs::error: the source that asks for this has not been compiled for it.
  virtual void submit(std::unique_ptr<host_work> work) = 0;
};

/// One device. Memory is raw here; memory_pool adds reuse and lifetimes.
class backend {
 public:
  virtual ~backend() = default;
  virtual const device_info& info() const = 0;
  /// Null if the device has no room.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* memory, std::size_t bytes) = 0;
  /// Copies return when the source may be reused and the destination may be read.
  virtual void copy_to_device(void* device, const void* host, std::size_t bytes) = 0;
  virtual void copy_to_host(void* host, const void* device, std::size_t bytes) = 0;
  virtual void copy_within(void* to, const void* from, std::size_t bytes) = 0;
  virtual std::shared_ptr<queue> make_queue() = 0;
  /// How many threads, in all blocks together, a cooperative launch of host code may have. Throws gs::error, naming the
  /// kernel, if the device runs none.
  virtual std::size_t cooperative_threads(std::string_view kernel) const = 0;
  /// The first error of a queue that is gone and that nobody waited for; null if there was none. Asked for, it is
  /// forgotten.
  virtual std::exception_ptr take_lost_error() { return nullptr; }
};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
