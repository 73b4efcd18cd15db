#pragma once
// The timeline: what ran when, on which stream. The ledger counts what happened; this says in which order, and what
// ran beside what.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/target.h"

namespace gs::inline GS_FLAVOUR {

class stream;

/// What a stream did: a copy each way, a launch of a kernel, a ufunc or a library, or a wait for an event.
enum class timeline_kind : std::uint8_t { copy_to_device, copy_to_host, launch, wait };
/// "copy to the device", "copy to the host", "launch" or "wait".
std::string to_string(timeline_kind kind);

/// One piece of work of a timeline.
struct timeline_entry {
  timeline_kind kind = timeline_kind::launch;  ///< of the work
  std::string name;                            ///< the kernel's, or "copy to the device"
  std::size_t stream = 0;                      ///< from 0, in the order in which streams were first used
  double start = 0;                            ///< in seconds since the recording began
  double stop = 0;                             ///< in the same
  std::uint64_t bytes = 0;                     ///< of a copy
};

namespace detail {
class timeline_mark;
}

/// Records what the current device does while it lives. Times are the device's own, taken by events in the streams, so
/// recording keeps nobody waiting. A copy that names no stream is on the default stream. A recording may live within
/// another, and both note what is done. Outside of a recording, nothing is noted and nothing is paid.
///   gs::timeline_recording recording;  ...  for (const gs::timeline_entry& e : recording.entries()) ...
class timeline_recording {
 public:
  /// Waits for what is queued on the device. Throws gs::error while a recording of another device lives.
  timeline_recording();
  ~timeline_recording();
  timeline_recording(const timeline_recording&) = delete;
  timeline_recording& operator=(const timeline_recording&) = delete;

  /// What has been queued so far, in that order. Waits until it has run. Times are NaN where nothing is timed (under
  /// gs::inspect).
  std::vector<timeline_entry> entries() const;

 private:
  friend class detail::timeline_mark;
  struct record {
    timeline_entry entry;
    std::uint64_t queue;
    std::shared_ptr<detail::fence> start, stop;
  };
  static std::atomic<timeline_recording*> current_;

  device_kind device_;
  std::shared_ptr<detail::fence> origin_;
  mutable std::mutex mutex_;
  std::vector<record> records_;
};

namespace detail {

/// The runtime's side: what is queued on the stream between its construction and its end is one entry.
class timeline_mark {
 public:
  timeline_mark(const stream& on, timeline_kind kind, std::string_view name, std::size_t bytes = 0) {
    if (timeline_recording::current_.load(std::memory_order_relaxed)) begin(&on, kind, name, bytes);
  }
  /// On the current device's default stream.
  timeline_mark(timeline_kind kind, std::string_view name, std::size_t bytes) {
    if (timeline_recording::current_.load(std::memory_order_relaxed)) begin(nullptr, kind, name, bytes);
  }
  ~timeline_mark() {
    if (queue_) end();
  }
  timeline_mark(const timeline_mark&) = delete;
  timeline_mark& operator=(const timeline_mark&) = delete;

 private:
  void begin(const stream* on, timeline_kind kind, std::string_view name, std::size_t bytes);
  void end();

  queue* queue_ = nullptr;  // null: nothing is recorded
  timeline_kind kind_{};
  std::string_view name_;
  std::size_t bytes_ = 0;
  std::shared_ptr<fence> start_;
};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
