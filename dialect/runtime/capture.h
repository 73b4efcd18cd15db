#pragma once
// capture: a stream that captures is asked to work as any other, and what is queued on it becomes the nodes of a graph:
// CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture". What the device may not do meanwhile stops the
// capture, with the error that CUDA gives.

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dialect/runtime/graphs.h"
#include "dialect/runtime/streams.h"
#include "runtime/device/backend.h"
#include "runtime/device/host_work.h"
#include "runtime/device/stream.h"

namespace dialect {

/// Work, and the numbers of the nodes that it comes after, which are smaller than its own.
struct graph_node {
  std::shared_ptr<gs::detail::host_work> work;
  std::vector<std::size_t> after;
};
using graph_nodes = std::vector<graph_node>;

/// One capture: what all its streams have queued so far.
class capture {
 public:
  capture(cudaStream_t origin, cudaStreamCaptureMode mode) : origin_(origin), mode_(mode) {}

  cudaStream_t origin() const { return origin_; }
  /// Whether this thread may not call what might wait for the device.
  bool forbids_waiting() const {
    return mode_ == cudaStreamCaptureModeGlobal || (mode_ == cudaStreamCaptureModeThreadLocal && is_of_this_thread());
  }
  /// Whether this thread may end it.
  bool may_be_ended() const { return mode_ == cudaStreamCaptureModeRelaxed || is_of_this_thread(); }
  void invalidate() { is_valid_ = false; }
  bool is_valid() const { return is_valid_; }
  void end() { is_running_ = false; }
  bool is_running() const { return is_running_; }

  /// Adds work that comes after these nodes, and returns its number.
  std::size_t add(std::shared_ptr<gs::detail::host_work> work, std::vector<std::size_t> after);
  /// Whether all nodes come before one of these, or are one of them.
  bool ends_in(const std::vector<std::size_t>& last) const;
  graph_nodes take_nodes() { return std::move(nodes_); }

 private:
  bool is_of_this_thread() const { return std::this_thread::get_id() == by_; }

  mutable std::mutex mutex_;  // of the nodes
  graph_nodes nodes_;
  cudaStream_t origin_;
  cudaStreamCaptureMode mode_;
  std::thread::id by_ = std::this_thread::get_id();
  std::atomic<bool> is_valid_ = true, is_running_ = true;
};

/// A point in a captured stream.
class captured_point final : public gs::detail::fence {
 public:
  captured_point(std::shared_ptr<capture> in, std::vector<std::size_t> after)
      : in_(std::move(in)), after_(std::move(after)) {}
  const std::shared_ptr<capture>& of() const { return in_; }
  const std::vector<std::size_t>& after() const { return after_; }
  bool done() override;
  void wait() override;
  double seconds_since(gs::detail::fence& start) override;

 private:
  std::shared_ptr<capture> in_;
  std::vector<std::size_t> after_;
};

/// The queue of a stream that captures.
class capturing_queue final : public gs::detail::queue {
 public:
  explicit capturing_queue(std::shared_ptr<capture> in) : in_(std::move(in)) {}
  const std::shared_ptr<capture>& of() const { return in_; }
  /// The nodes that what is queued next comes after.
  const std::vector<std::size_t>& last() const { return last_; }
  /// Adds the nodes of another graph as they are ordered there.
  void submit_nodes(const graph_nodes& nodes);

  void wait() override;
  bool idle() override;
  std::shared_ptr<gs::detail::fence> mark() override { return here(); }
  std::shared_ptr<captured_point> here() const { return std::make_shared<captured_point>(in_, last_); }
  void wait_for(std::shared_ptr<gs::detail::fence> point) override;
  void submit(std::unique_ptr<gs::detail::host_work> work) override;

 private:
  std::shared_ptr<capture> in_;
  std::vector<std::size_t> last_;
};

/// Throws call_refused, and stops the captures that forbid it, if this thread may not call what waits for the device,
/// or might.
void check_may_wait(const char* call);
/// The same for what waits for all of the device: no capture allows it.
void check_may_wait_for_device(const char* call);
/// The same for work on the default stream, which would come between what is captured.
void check_may_use_default_stream();
/// Likewise, of this capture.
[[noreturn]] void refuse_default_stream(capture& in);
/// The same for an event that a captured stream has recorded.
void check_is_not_captured(const captured_point* point, const char* call);

/// The captures that have begun and not ended.
void note_begun(const std::shared_ptr<capture>& one, bool waits_for_default_stream);
void note_ended(const std::shared_ptr<capture>& one);

}  // namespace dialect
