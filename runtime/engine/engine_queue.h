#pragma once
// engine_queue: the engine's stream. Tasks run in order, one after the other; each may use all cores.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"
#include "runtime/device/host_work.h"
#include "runtime/host/shared_loop.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

class engine_fence;

/// Submitting returns at once. A thread of the pool drains the queue; a thread that waits for it drains it itself when
/// the pool hasn't started yet, which spares the hand-over between cores; else it takes part in the loops that run.
class engine_queue final : public queue, public std::enable_shared_from_this<engine_queue> {
 public:
  engine_queue() = default;
  ~engine_queue() override;
  engine_queue(const engine_queue&) = delete;
  engine_queue& operator=(const engine_queue&) = delete;

  void submit(std::unique_ptr<host_work> work) override;
  void wait() override;
  bool idle() override;
  std::shared_ptr<fence> mark() override;
  std::shared_ptr<fence> mark_start() override;
  void wait_for(std::shared_ptr<fence> point) override;

  /// Continues after the fence this queue was parked on has been passed.
  void resume();

  /// The first error of a queue that was destroyed before anybody waited for it, else null; forgotten when taken.
  static std::exception_ptr take_lost_error();
  /// How many pieces of work run at this moment, on all queues.
  static int running() { return running_.load(std::memory_order_relaxed); }

 private:
  struct task {
    std::unique_ptr<host_work> work;  // null: the queue waits for the first of points_, holding no core
    [[no_unique_address]] instruments::queued_work order = {};
  };

  std::shared_ptr<engine_fence> new_point();
  void submit_pass(std::shared_ptr<engine_fence> point);
  inline void queue_task(std::unique_lock<std::mutex> lock, std::unique_ptr<host_work> work);
  void schedule(void (engine_queue::*step)());
  void start_draining();
  void drain();
  enum class progress { done, parked };
  progress run_tasks(std::uint64_t last);
  bool stop_draining();
  void wake_sleepers();

  static constinit std::atomic<int> running_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<task> tasks_;
  std::deque<std::shared_ptr<engine_fence>> points_;  // one for each task without work
  std::exception_ptr first_error_;
  std::atomic<std::uint64_t> submitted_{0}, completed_{0};
  [[no_unique_address]] instruments::stream_clock clock_;
  loop_offer running_loop_{[this] { wake_sleepers(); }};
  std::atomic<int> waiting_{0}, sleepers_{0};  // threads in wait(), and those of them that sleep
  bool draining_ = false;                      // somebody runs tasks, or the queue is parked
  bool scheduled_ = false;                     // a thread of the pool has been asked to drain
};

/// A point in an engine_queue.
class engine_fence final : public fence {
 public:
  bool done() override { return done_.load(std::memory_order_acquire); }
  void wait() override;
  double seconds_since(fence& start) override;

  /// Called when the queue gets here.
  void pass();
  /// Resumes `q` when this point is passed; false if it already has been.
  bool notify(std::shared_ptr<engine_queue> q);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<engine_queue>> parked_;
  double passed_at_ = 0;  // seconds of the steady clock
  friend class engine_queue;
  [[no_unique_address]] instruments::work_order order_;  // of everything before this point
  std::atomic<bool> done_{false};
};

}  // namespace gs::inline GS_FLAVOUR::detail
