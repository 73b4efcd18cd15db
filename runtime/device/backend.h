#pragma once
// What a device must offer to the runtime: a backend and its queues, in a folder of its own, made known by one line
// (registered_device.h). Nothing else knows which device it talks to, with one exception: a device with a compiler of
// its own needs the types of a kernel, and gets them from runtime/launch/dispatch.h.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

/// Which way a copy goes.
enum class copy_direction : std::uint8_t { to_device, to_host };

/// Work in order: what a stream is made of. Destroying a queue doesn't wait; what was queued still runs.
class queue {
 public:
  queue() = default;
  virtual ~queue() = default;
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  /// Its number in the program, from 0 in the order in which queues were made.
  std::uint64_t number() const { return number_; }
  /// Waits until everything queued so far has run; throws the first error that happened in it.
  virtual void wait() = 0;
  /// True when nothing is queued or running.
  virtual bool idle() = 0;
  virtual std::shared_ptr<fence> mark() = 0;
  /// The moment at which what is queued next begins to run, which for an idle queue comes later than mark().
  virtual std::shared_ptr<fence> mark_start() { return mark(); }
  /// What is queued from now on starts after `point`. Throws gs::error for a point of another device.
  virtual void wait_for(std::shared_ptr<fence> point) = 0;
  /// Queues work that runs host code, and returns at once. What it throws is thrown by wait(). A device with a compiler
  /// of its own throws gs::error: the source that asks for this has not been compiled for it.
  virtual void submit(std::unique_ptr<host_work> work) = 0;
  /// Queues a copy between the host's memory and the device's that the device makes by itself, and returns. False if
  /// it can't: then host code has to be submitted that copies.
  virtual bool copy(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/, copy_direction /*way*/) { return false; }

 private:
  static inline std::atomic<std::uint64_t> made_{0};
  const std::uint64_t number_ = made_++;
};

/// What memory is for: the device's own; the host's, for copies that run while the host goes on; both at once; device
/// memory that other processes may open.
enum class memory_kind : std::uint8_t { device, pinned, managed, interprocess };

/// One device. Memory is raw here; memory_pool adds reuse and lifetimes.
class backend {
 public:
  virtual ~backend() = default;
  virtual const device_info& info() const = 0;
  /// Null if the device has no room.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* memory, std::size_t bytes) = 0;
  /// Memory of the host that the system leaves where it is, so that queued copies can go there and come from there;
  /// null if there is no room. Whole pages, unless the device has other needs.
  virtual void* allocate_pinned(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return std::aligned_alloc(page, (bytes + page - 1) / page * page);
  }
  virtual void deallocate_pinned(void* memory, std::size_t /*bytes*/) { std::free(memory); }
  /// Memory that the host and kernels reach by the same addresses; null if there is no room.
  virtual void* allocate_managed(std::size_t bytes) { return allocate(bytes); }
  virtual void deallocate_managed(void* memory, std::size_t bytes) { deallocate(memory, bytes); }
  /// Whether the host may read the device's memory by its addresses, once nothing is queued on it.
  virtual bool host_reads_memory() const { return false; }
  /// Device memory that other processes may open; null if there is no room. Throws gs::error if the device has none.
  virtual void* allocate_interprocess(std::size_t bytes);
  /// Of memory that was allocated here, or opened here.
  virtual void deallocate_interprocess(void* /*memory*/, std::size_t /*bytes*/) {}
  /// By which another process opens memory that allocate_interprocess() or open_interprocess() returned: words.
  virtual std::string interprocess_handle(const void* memory) const;
  /// The memory of another process, of at least so many bytes. Throws gs::error if it can't be opened.
  virtual void* open_interprocess(const std::string& handle, std::size_t bytes);
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
