#pragma once
// The devices of this machine: which there are, which one is current, and what each of them is.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/memory_pool.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR {

/// The kind of device that arrays are made on and kernels run on. At first use it is what GRIDSTRIDE_TARGET asks for,
/// else CUDA if this build has it and a GPU is there, else the engine. Throws gs::error if the variable is misspelt,
/// gs::machine_error if it asks for a device that isn't there.
device_kind current_device();

/// Makes `kind` current for the whole program. Arrays stay on the device they were made on and are refused elsewhere.
/// Throws gs::machine_error if there is no such device.
void select_device(device_kind kind);

/// What the current device is.
const device_info& device();

namespace detail {

/// Empty if there is a device of that kind, else the reason why not, as a sentence.
std::string why_missing(device_kind kind);

}  // namespace detail

/// The same of a GPU.
std::string why_no_cuda();

/// Waits until everything queued on the current device has run, on all streams. Throws the first error that happened
/// in it, once; the device is usable afterwards.
void synchronize();

/// Gives back everything the current device holds, as if the program began anew: waits for what is queued, forgets an
/// error in it, and frees all memory. Arrays and streams made before are refused afterwards; the default stream goes
/// on. Nothing else may use the device meanwhile. A GPU that has failed (an illegal address, for example) stays so
/// until the program ends.
void reset_device();

namespace detail {

/// The runtime's view of one device: its backend, its memory and its queues. Not for kernels or lessons.
class device_context {
 public:
  /// Throws gs::machine_error if there is no such device.
  static device_context& of(device_kind kind);
  static device_context& current();

  explicit device_context(std::unique_ptr<backend> hardware);

  device_kind kind() const { return hardware_->info().kind; }
  backend& hardware() { return *hardware_; }
  memory_pool& memory() { return memory_; }
  memory_pool& pool(memory_kind kind) {
    switch (kind) {
      case memory_kind::pinned:
        return pinned_;
      case memory_kind::managed:
        return managed_;
      case memory_kind::interprocess:
        return interprocess_;
      case memory_kind::device:
        break;
    }
    return memory_;
  }
  const std::shared_ptr<queue>& default_queue() { return default_queue_; }
  std::shared_ptr<queue> make_queue();
  /// The point every busy queue has reached: what memory that is freed now must outlive.
  std::vector<std::shared_ptr<fence>> pending();
  /// Waits for all queues, then throws the first error among them.
  void wait();
  /// Frees all memory of the device and makes a new default queue. What was made in an earlier generation is void.
  void reset();
  std::uint64_t generation() const { return generation_; }

 private:
  std::vector<std::shared_ptr<queue>> queues();

  std::unique_ptr<backend> hardware_;
  memory_pool memory_, pinned_, managed_, interprocess_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<queue>> queues_;
  std::shared_ptr<queue> default_queue_;
  std::atomic<std::uint64_t> generation_{0};  // how often it was reset
};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
