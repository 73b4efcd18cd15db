#include "runtime/device/timeline.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/device/stream.h"
#include "runtime/timing/untimed.h"

namespace gs::inline GS_FLAVOUR {

// The innermost of those that live, which all are of one device.
constinit std::atomic<timeline_recording*> timeline_recording::current_ = nullptr;

namespace {

constinit std::mutex open_mutex;
constinit std::vector<timeline_recording*> open_recordings;  // each within the one before

}  // namespace

std::string to_string(timeline_kind kind) {
  switch (kind) {
    case timeline_kind::copy_to_device:
      return "copy to the device";
    case timeline_kind::copy_to_host:
      return "copy to the host";
    case timeline_kind::launch:
      return "launch";
    case timeline_kind::wait:
      return "wait";
  }
  return "";
}

timeline_recording::timeline_recording() : device_(current_device()) {
  detail::device_context& device = detail::device_context::current();
  device.wait();
  origin_ = device.default_queue()->mark();
  const std::lock_guard lock(open_mutex);
  if (!open_recordings.empty() && open_recordings.back()->device_ != device_)
    throw error("a recording of the timeline of " + to_string(device_),
                "one of " + to_string(open_recordings.back()->device_) + " lives", "end that first");
  open_recordings.push_back(this);
  current_ = this;
}

timeline_recording::~timeline_recording() {
  const std::lock_guard lock(open_mutex);
  std::erase(open_recordings, this);
  current_ = open_recordings.empty() ? nullptr : open_recordings.back();
}

std::vector<timeline_entry> timeline_recording::entries() const {
  std::vector<record> records;
  {
    const std::lock_guard lock(mutex_);
    records = records_;
  }
  std::vector<timeline_entry> entries;
  std::vector<std::uint64_t> queues;  // by the number of the stream in the timeline
  for (record& r : records) {
    auto found = std::ranges::find(queues, r.queue);
    if (found == queues.end()) found = queues.insert(found, r.queue);
    r.entry.stream = static_cast<std::size_t>(found - queues.begin());
    r.stop->wait();
    r.entry.start = r.entry.stop = std::numeric_limits<double>::quiet_NaN();
    if (!detail::untimed()) {
      r.entry.start = r.start->seconds_since(*origin_);
      r.entry.stop = r.stop->seconds_since(*origin_);
    }
    entries.push_back(std::move(r.entry));
  }
  return entries;
}

void detail::timeline_mark::begin(const stream* on, timeline_kind kind, std::string_view name, std::size_t bytes) {
  const timeline_recording* const recording = timeline_recording::current_;
  if (!recording || recording->device_ != (on ? on->kind() : current_device())) return;
  queue& work = on ? on->work() : *device_context::current().default_queue();
  start_ = work.mark_start();
  kind_ = kind, name_ = name, bytes_ = bytes;
  queue_ = &work;
}

// Work that wasn't queued, because queueing it threw, leaves an entry without length.
void detail::timeline_mark::end() {
  if (!timeline_recording::current_) return;
  try {
    const std::shared_ptr<fence> stop = queue_->mark();
    const std::lock_guard all(open_mutex);
    for (timeline_recording* const recording : open_recordings) {
      const std::lock_guard lock(recording->mutex_);
      recording->records_.push_back(
          {{.kind = kind_, .name = std::string(name_), .bytes = bytes_}, queue_->number(), start_, stop});
    }
  } catch (...) {  // the device has failed, which the next call that waits for it says
  }
}

}  // namespace gs::inline GS_FLAVOUR
