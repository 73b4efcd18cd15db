#pragma once
// Streams and events: work in order, and points in it.

#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR {

class event;
class stream;

namespace detail {

/// A stream of the current device whose work goes to this queue.
stream stream_over(std::shared_ptr<queue> work);

}  // namespace detail

/// Work in order on the current device. Launches on a stream return at once and run one after the other; two streams
/// may overlap, and only events order them. Destroying a stream doesn't wait: what was queued still runs.
class stream {
 public:
  stream();  ///< a new stream on the current device
  /// A stream that was moved from can't be used.
  ///@{
  stream(stream&&) noexcept = default;
  stream& operator=(stream&&) noexcept = default;
  ///@}
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Waits until everything queued so far has run. Throws the first error that happened in it, once.
  void synchronize();
  /// True when nothing is queued or running.
  bool idle() const;
  /// What is queued from now on starts after `point`. An event that was never recorded holds nothing up.
  void wait(const event& point);

  device_kind kind() const { return kind_; }  ///< the device it belongs to
  /// For launches. Throws gs::error for a stream that was moved from or made before its device was reset.
  detail::queue& work() const;

 private:
  friend stream& default_stream();
  friend stream detail::stream_over(std::shared_ptr<detail::queue> work);
  stream(std::shared_ptr<detail::queue> work, device_kind kind, std::uint64_t generation)
      : work_(std::move(work)), kind_(kind), generation_(generation) {}

  std::shared_ptr<detail::queue> work_;
  device_kind kind_;
  std::uint64_t generation_;  // of the device, see device_context::reset
};

/// The current device's stream for everything that names no other.
stream& default_stream();

namespace detail {

/// Throws gs::error unless the stream belongs to the current device; `use` is what it is for.
void check_stream(const stream& s, std::string_view use = "a launch");

}  // namespace detail

/// A point in a stream, and the moment it was passed.
class event {
 public:
  /// Marks what is queued on `s` at this moment. Recording again moves the event.
  void record(const stream& s = default_stream());
  /// Waits until the point has been passed. An event that was never recorded is passed already.
  void synchronize() const;
  bool done() const;  ///< whether the point has been passed; true for an event that was never recorded

 private:
  friend class stream;
  friend double seconds_between(const event& start, const event& stop);
  std::shared_ptr<detail::fence> point_;
};

/// Seconds of the device's time from `start` to `stop`. Waits for neither: throws gs::error if one was never recorded
/// or has not been passed yet. NaN in an untimed_scope.
double seconds_between(const event& start, const event& stop);

}  // namespace gs::inline GS_FLAVOUR
