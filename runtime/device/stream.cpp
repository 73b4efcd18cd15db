#include "runtime/device/stream.h"

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"

namespace gs::inline GS_FLAVOUR {

stream::stream() : work_(device_context::current().make_queue()), kind_(current_device()) {}

queue& stream::work() const {
  if (!work_) throw error("a stream", "it was moved from and is empty", "use the stream it was moved to");
  return *work_;
}

void stream::synchronize() {
  ledger_entry::synchronization();
  work().wait();
}

bool stream::idle() const { return work().idle(); }

void stream::wait(const event& point) {
  if (point.point_) work().wait_for(point.point_);
}

stream& default_stream() {
  static const auto of = [](device_kind kind) { return stream(device_context::of(kind).default_queue(), kind); };
  if (current_device() == device_kind::engine) {
    static auto* engine = new stream(of(device_kind::engine));
    return *engine;
  }
  static auto* cuda = new stream(of(device_kind::cuda));
  return *cuda;
}

void event::record(const stream& s) { point_ = s.work().mark(); }

void event::synchronize() const {
  ledger_entry::synchronization();
  if (point_) point_->wait();
}

bool event::done() const { return !point_ || point_->done(); }

double seconds_between(const event& start, const event& stop) {
  if (!start.point_ || !stop.point_)
    throw error("the time between two events", "one of them was never recorded", "call record() on both");
  if (!start.done() || !stop.done())
    throw error("the time between two events", "the work before them has not finished",
                "call synchronize() on the later one first");
  return stop.point_->seconds_since(*start.point_);
}

}  // namespace gs::inline GS_FLAVOUR
