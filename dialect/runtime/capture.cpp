#include "dialect/runtime/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "dialect/runtime/errors.h"

namespace dialect {
namespace {

struct running_capture {
  std::shared_ptr<capture> of;
  bool waits_for_default_stream;
};
struct running_captures {
  std::mutex mutex;
  std::vector<running_capture> all;
};
running_captures& captures() {
  static auto* const running = new running_captures;  // never destroyed: other statics may still use streams
  return *running;
}

constexpr const char* between =
    "work on the default stream while a stream is captured that waits for it; name the captured stream, or make it "
    "with cudaStreamNonBlocking";

// Refuses the call if one of the captures that run forbids it: these stop.
template <class Forbids>
void refuse_if(cudaError_t code, const std::string& sentence, Forbids forbids) {
  running_captures& running = captures();
  const std::lock_guard lock(running.mutex);
  bool is_refused = false;
  for (const running_capture& one : running.all)
    if (forbids(one)) one.of->invalidate(), is_refused = true;
  if (is_refused) throw call_refused{code, sentence};
}

void join(std::vector<std::size_t>& all, const std::vector<std::size_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
}

[[noreturn]] void refuse_waiting(capture& in, const char* what) {
  in.invalidate();
  throw call_refused{cudaErrorStreamCaptureUnsupported,
                     fmt::format("{} while a stream is captured: what was queued hasn't run; wait after "
                                 "cudaStreamEndCapture() and cudaGraphLaunch()",
                                 what)};
}

}  // namespace

std::size_t capture::add(std::shared_ptr<gs::detail::host_work> work, std::vector<std::size_t> after) {
  const std::lock_guard lock(mutex_);
  nodes_.push_back({std::move(work), std::move(after)});
  return nodes_.size() - 1;
}

bool capture::ends_in(const std::vector<std::size_t>& last) const {
  const std::lock_guard lock(mutex_);
  std::vector<bool> comes_before(nodes_.size());
  for (const std::size_t number : last) comes_before[number] = true;
  for (std::size_t number = nodes_.size(); number-- > 0;)
    if (comes_before[number])
      for (const std::size_t earlier : nodes_[number].after) comes_before[earlier] = true;
  return std::ranges::all_of(comes_before, std::identity());
}

// --- points and queues -----------------------------------------------------------------------------------------------

bool captured_point::done() { refuse_waiting(*in_, "asking for an event of the capture"); }
void captured_point::wait() { refuse_waiting(*in_, "waiting for an event of the capture"); }
double captured_point::seconds_since(gs::detail::fence& /*start*/) { refuse_waiting(*in_, "timing an event"); }

void capturing_queue::wait() { refuse_waiting(*in_, "waiting for the stream"); }
bool capturing_queue::idle() { refuse_waiting(*in_, "asking whether the stream is idle"); }

void capturing_queue::wait_for(std::shared_ptr<gs::detail::fence> point) {
  const auto* const captured = dynamic_cast<const captured_point*>(point.get());
  if (!captured) {
    in_->invalidate();
    throw call_refused{cudaErrorStreamCaptureIsolation,
                       "a captured stream waits for an event that was recorded outside of the capture; record it on a "
                       "stream of the capture, or wait for it before cudaStreamBeginCapture()"};
  }
  if (captured->of() != in_) {
    in_->invalidate();
    captured->of()->invalidate();
    throw call_refused{cudaErrorStreamCaptureMerge,
                       "a captured stream waits for an event of another capture; end one of them first"};
  }
  join(last_, captured->after());
}

void capturing_queue::submit(std::unique_ptr<gs::detail::host_work> work) {
  last_ = {in_->add(std::move(work), std::move(last_))};
}

void capturing_queue::submit_nodes(const graph_nodes& nodes) {
  std::vector<std::size_t> numbers, ends;
  std::vector<bool> has_next(nodes.size());
  for (const graph_node& node : nodes) {
    std::vector<std::size_t> after;
    for (const std::size_t earlier : node.after) after.push_back(numbers[earlier]), has_next[earlier] = true;
    numbers.push_back(in_->add(node.work, node.after.empty() ? last_ : std::move(after)));
  }
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (!has_next[k]) ends.push_back(numbers[k]);
  if (!ends.empty()) last_ = std::move(ends);
}

// --- what is refused meanwhile ---------------------------------------------------------------------------------------

void check_may_wait(const char* call) {
  refuse_if(cudaErrorStreamCaptureUnsupported,
            fmt::format("{} while a stream is captured: it may wait for the device; call it before "
                        "cudaStreamBeginCapture(), or capture with cudaStreamCaptureModeRelaxed",
                        call),
            [](const running_capture& one) { return one.of->forbids_waiting(); });
}

void check_may_wait_for_device(const char* call) {
  refuse_if(cudaErrorStreamCaptureUnsupported,
            fmt::format("{} while a stream is captured: what was queued hasn't run; wait after cudaStreamEndCapture() "
                        "and cudaGraphLaunch()",
                        call),
            [](const running_capture&) { return true; });
}

void check_may_use_default_stream() {
  refuse_if(cudaErrorStreamCaptureImplicit, between,
            [](const running_capture& one) { return one.waits_for_default_stream; });
}
void refuse_default_stream(capture& in) {
  in.invalidate();
  throw call_refused{cudaErrorStreamCaptureImplicit, between};
}

void check_is_not_captured(const captured_point* point, const char* call) {
  if (!point) return;
  point->of()->invalidate();
  throw call_refused{cudaErrorCapturedEvent,
                     fmt::format("{} of an event that was recorded on a captured stream: what is before it hasn't run; "
                                 "record it again outside of the capture",
                                 call)};
}

void note_begun(const std::shared_ptr<capture>& one, bool waits_for_default_stream) {
  running_captures& running = captures();
  const std::lock_guard lock(running.mutex);
  running.all.push_back({one, waits_for_default_stream});
}
void note_ended(const std::shared_ptr<capture>& one) {
  one->end();
  running_captures& running = captures();
  const std::lock_guard lock(running.mutex);
  std::erase_if(running.all, [&](const running_capture& known) { return known.of == one; });
}

}  // namespace dialect
