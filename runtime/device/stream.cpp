#include "runtime/device/stream.h"

#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/device/timeline.h"
#include "runtime/timing/untimed.h"

namespace gs::inline GS_FLAVOUR {

stream::stream()
    : work_(detail::device_context::current().make_queue()),
      kind_(current_device()),
      generation_(detail::device_context::current().generation()) {}

detail::queue& stream::work() const {
  if (!work_) throw error("a stream", "it was moved from and is empty", "use the stream it was moved to");
  if (detail::device_context::of(kind_).generation() != generation_)
    throw error("a stream", "its device has been reset since it was made", "make a new one");
  return *work_;
}

void stream::synchronize() {
  ledger_entry::synchronization();
  work().wait();
}

bool stream::idle() const {
  if (!work().idle()) return false;
#if GRIDSTRIDE_CHECKED
  work().mark()->wait();  // passed already; the instruments know now that the host has seen it
#endif
  return true;
}

void stream::wait(const event& point) {
  if (!point.point_) return;
  const detail::timeline_mark recorded(*this, timeline_kind::wait, "wait");
  work().wait_for(point.point_);
}

stream& default_stream() {
  static auto* streams =
      new std::array<std::optional<stream>, detail::most_device_kinds>;  // never destroyed, like the devices
  static std::mutex mutex;
  detail::device_context& device = detail::device_context::current();
  std::optional<stream>& of_device = (*streams)[static_cast<std::size_t>(device.kind())];
  std::lock_guard lock(mutex);
  if (!of_device || of_device->generation_ != device.generation())
    of_device.emplace(stream(device.default_queue(), device.kind(), device.generation()));
  return *of_device;
}

stream detail::stream_over(std::shared_ptr<queue> work) {
  return {std::move(work), current_device(), device_context::current().generation()};
}

void detail::check_stream(const stream& s, std::string_view use) {
  s.work();
  if (s.kind() != current_device())
    throw error(std::string(use) + " on the current device, " + to_string(current_device()),
                "the stream belongs to another one, " + to_string(s.kind()), "make a stream after select_device");
}

void event::record(const stream& s) { point_ = s.work().mark(); }

void event::synchronize() const {
  ledger_entry::synchronization();
  if (point_) point_->wait();
}

bool event::done() const {
  if (!point_) return true;
  if (!point_->done()) return false;
#if GRIDSTRIDE_CHECKED
  point_->wait();  // passed already; the instruments know now that the host has seen it
#endif
  return true;
}

double seconds_between(const event& start, const event& stop) {
  if (!start.point_ || !stop.point_)
    throw error("the time between two events", "one of them was never recorded", "call record() on both");
  if (!start.done() || !stop.done())
    throw error("the time between two events", "the work before them has not finished",
                "call synchronize() on the later one first");
  if (detail::untimed()) return std::numeric_limits<double>::quiet_NaN();
  return stop.point_->seconds_since(*start.point_);
}

}  // namespace gs::inline GS_FLAVOUR
