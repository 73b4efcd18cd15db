#pragma once
// device_memory: the owner of a piece of device memory, and the copies between host and device. The part of
// device_array<T> that doesn't depend on T.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/array/index.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/device/backend.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR {

device_kind current_device();
class stream;

namespace detail {

/// Owns memory of one device, its own or what it manages. Destroying it never waits: the memory is reused only after
/// everything that was queued at that moment has run.
class device_memory {
 public:
  device_memory(device_kind kind, void* data, std::uint64_t generation, memory_kind memory = memory_kind::device)
      : kind_(kind), memory_(memory), data_(data), generation_(generation) {}
  ~device_memory();
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  device_kind kind() const { return kind_; }
  void* data() const { return data_; }
  /// Whether the device has been reset since, and the memory is gone.
  bool lost() const;

  /// How often something was queued that writes to an array in this memory: a result, a kernel's view, a copy. A tape
  /// of gradients (runtime/grad/) sees by it that what it needs was overwritten.
  std::uint64_t writes() const { return writes_.load(std::memory_order_relaxed); }
  void note_write() const { writes_.fetch_add(1, std::memory_order_relaxed); }

 private:
  device_kind kind_;
  memory_kind memory_;
  void* data_;
  std::uint64_t generation_;
  mutable std::atomic<std::uint64_t> writes_ = 0;
};

/// Memory on the current device, counted in the ledger. Throws gs::machine_error if there is no room. `place` is the
/// line of the source that the instruments name.
std::shared_ptr<device_memory> allocate_device_memory(std::size_t bytes,
                                                      const access_place& place = access_place::current(),
                                                      memory_kind kind = memory_kind::device);

/// Pinned memory of the current device, and the end of it: like a device's it is reused only after everything that is
/// queued at that moment has run. Throws gs::machine_error if there is no room.
void* allocate_pinned_memory(std::size_t bytes, const access_place& place = access_place::current());
void release_pinned_memory(device_kind kind, void* memory);

/// Copies of `bytes`, counted in the ledger (copies of 0 bytes, too). They return when done.
/// `memory` is the device side's owner; copies that read or overwrite it wait for everything queued on its device. A
/// null owner says that the memory is new and nothing can be queued on it.
void copy_host_to_device(void* to, const device_memory* memory, const void* from, std::size_t bytes);
void copy_device_to_host(void* to, const device_memory* memory, const void* from, std::size_t bytes,
                         std::size_t element_bytes = 1, const access_place& place = access_place::current());
void copy_within_device(void* to, const device_memory& memory, const void* from, std::size_t bytes);
/// The same in a stream: they wait for what is queued there, and for nothing else. Where the host's side is pinned
/// memory they are queued and return at once; else they return when done.
void queue_copy_to_device(const stream& on, void* to, const device_memory& memory, const void* from, std::size_t bytes,
                          const access_place& place);
void queue_copy_to_host(const stream& on, void* to, const device_memory& memory, const void* from, std::size_t bytes,
                        std::size_t element_bytes, const access_place& place);

/// Waits for everything that is queued on the current device.
void wait_for_device();

/// Throws gs::error if `memory` is null (the array was moved from), of a device that isn't current, or lost.
void check_usable(const device_memory* memory);
/// Throws gs::error unless `data` points into memory of the current device.
void check_device_pointer(const void* data);

/// Throw gs::error, with both shapes in the message.
void check_slice(const shape& s, std::size_t begin, std::size_t end);
void check_rank(const shape& s, std::size_t rank);
void check_copy_shape(const shape& device, const shape& host);
void check_reshape(const shape& from, const shape& to);
shape reshaped(const shape& from, std::span<const std::ptrdiff_t> extents);
[[noreturn]] void refuse_bytes(const shape& s, const std::string& dtype);

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
