#include "runtime/engine/engine_queue.h"

#include <chrono>
#include <limits>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/closed_memory.h"
#include "runtime/engine/fault_replay.h"
#include "runtime/host/core_affinity.h"
#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A thread that has drained its queue looks for more work this long before it leaves: the next launch of a loop then
// finds a core awake, and the one after pays no wake-up.
constexpr double linger_seconds = 20e-6;
// A thread that waits for another one's work spins this long before it sleeps, for the same reason.
constexpr double spin_seconds = 50e-6;

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

template <class Condition>
bool spin_until(Condition condition, double seconds) {
  if (condition()) return true;
  const double deadline = now() + seconds;
  do {
    for (int i = 0; i < 16; ++i) {
      if (condition()) return true;
      pause();
    }
  } while (now() < deadline);
  return condition();
}

struct lost_error {
  std::mutex mutex;
  std::exception_ptr first;
};
lost_error& the_lost_error() {
  static auto* lost = new lost_error;  // never destroyed: queues end while the program does
  return *lost;
}

}  // namespace

constinit std::atomic<int> engine_queue::running_ = 0;

engine_queue::~engine_queue() {
  if (!first_error_) return;
  lost_error& lost = the_lost_error();
  std::lock_guard lock(lost.mutex);
  if (!lost.first) lost.first = first_error_;
}

std::exception_ptr engine_queue::take_lost_error() {
  lost_error& lost = the_lost_error();
  std::lock_guard lock(lost.mutex);
  return std::exchange(lost.first, nullptr);
}

void engine_queue::submit(std::unique_ptr<host_work> work) {
  std::unique_lock lock(mutex_);
  queue_task(std::move(lock), std::move(work));
}

// Gives up the lock.
void engine_queue::queue_task(std::unique_lock<std::mutex> lock, std::unique_ptr<host_work> work) {
  tasks_.push_back({.work = std::move(work), .order = instruments::note_queued(clock_)});
  submitted_.fetch_add(1);
  const bool start = !draining_ && !scheduled_;
  scheduled_ |= start;
  lock.unlock();
  if (start) schedule(&engine_queue::start_draining);
}

void engine_queue::schedule(void (engine_queue::*step)()) {
  struct request {
    std::shared_ptr<engine_queue> q;
    void (engine_queue::*step)();
  };
  run_later(
      [](void* argument) {
        const std::unique_ptr<request> held(static_cast<request*>(argument));
        (held->q.get()->*held->step)();
      },
      new request{shared_from_this(), step});
}

void engine_queue::start_draining() {
  {
    std::lock_guard lock(mutex_);
    scheduled_ = false;
    if (draining_ || tasks_.empty()) return;
    draining_ = true;
  }
  drain();
}

void engine_queue::resume() { schedule(&engine_queue::drain); }

void engine_queue::drain() {
  do {
    if (run_tasks(std::numeric_limits<std::uint64_t>::max()) == progress::parked) return;
    // A thread that waits will launch again and drain that itself, with one core more; leave it to that thread.
    if (waiting_ == 0) spin_until([&] { return submitted_ != completed_; }, linger_seconds);
  } while (!stop_draining());
}

bool engine_queue::stop_draining() {
  std::lock_guard lock(mutex_);
  if (!tasks_.empty()) return false;
  draining_ = false;
  return true;
}

// Runs tasks until `last` have completed, the queue is empty, or the next task waits for a fence of another queue. In
// the last case the queue is parked: `draining_` stays set, the fence resumes it, perhaps on another thread before this
// function has returned, and the caller must leave the queue alone.
engine_queue::progress engine_queue::run_tasks(std::uint64_t last) {
  while (completed_ < last) {
    task next;
    {
      std::lock_guard lock(mutex_);
      if (tasks_.empty()) return progress::done;
      if (!tasks_.front().work) {
        if (points_.front()->notify(shared_from_this())) return progress::parked;
        points_.pop_front();
      }
      next = std::move(tasks_.front());
      tasks_.pop_front();
    }
    running_.fetch_add(1, std::memory_order_relaxed);
    try {
      const instruments::work_scope watched(next.order);
      const closed_memory::passage open;
      const loop_offer::scope offered(running_loop_);
      if (next.work) run_and_name_fault(*next.work);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!first_error_) first_error_ = std::current_exception();
    }
    running_.fetch_sub(1, std::memory_order_relaxed);
    next.work.reset();  // what it held is gone before anybody learns that it has completed
    completed_.fetch_add(1);
    wake_sleepers();
  }
  return progress::done;
}

void engine_queue::wake_sleepers() {
  if (sleepers_ == 0) return;
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void engine_queue::wait() {
  const std::uint64_t last = submitted_;
  ++waiting_;
  bool drain_here = false;
  instruments::work_order waited_for;
  {
    std::lock_guard lock(mutex_);
    waited_for = clock_.order;
    drain_here = !draining_ && completed_ < last;
    draining_ |= drain_here;
  }
  if (drain_here) {
    const bool more = run_tasks(last) == progress::done && !stop_draining();
    if (more) schedule(&engine_queue::drain);  // another thread has queued it meanwhile
  }
  const auto reached = [&] { return completed_ >= last; };
  // Somebody else runs the tasks: this thread takes part in their loops, and sleeps where there is none.
  const auto called = [&] { return reached() || running_loop_.open(); };
  while (!reached()) {
    if (!spin_until(called, spin_seconds)) {
      std::unique_lock lock(mutex_);
      ++sleepers_;
      changed_.wait(lock, called);
      --sleepers_;
    }
    if (reached()) break;
    keep_this_core_free();
    running_loop_.join();
  }
  --waiting_;
  instruments::note_waited(waited_for);
  std::lock_guard lock(mutex_);
  if (first_error_) std::rethrow_exception(std::exchange(first_error_, nullptr));
}

bool engine_queue::idle() { return completed_ == submitted_; }

std::shared_ptr<engine_fence> engine_queue::new_point() {
  auto point = std::make_shared<engine_fence>();
#if GRIDSTRIDE_CHECKED
  {
    std::lock_guard lock(mutex_);
    point->order_ = clock_.order;
  }
#endif
  return point;
}

void engine_queue::submit_pass(std::shared_ptr<engine_fence> point) {
  submit(make_host_work("a mark", 1, [point = std::move(point)](spread_function) { point->pass(); }));
}

std::shared_ptr<fence> engine_queue::mark() {
  auto point = new_point();
  if (idle())
    point->pass();
  else
    submit_pass(point);
  return point;
}

std::shared_ptr<fence> engine_queue::mark_start() {
  auto point = new_point();
  submit_pass(point);  // by the thread that goes on with what comes next, when it has a core
  return point;
}

void engine_queue::wait_for(std::shared_ptr<fence> point) {
  auto engine_point = std::dynamic_pointer_cast<engine_fence>(point);
  if (!engine_point)
    throw error("a stream of the engine was told to wait for an event", "an event of another device",
                "record the event on a stream of the same device");
#if GRIDSTRIDE_CHECKED
  {
    std::lock_guard lock(mutex_);
    clock_.order.join(engine_point->order_);
  }
#endif
  if (engine_point->done()) return;
  std::unique_lock lock(mutex_);
  points_.push_back(std::move(engine_point));
  queue_task(std::move(lock), nullptr);
}

void engine_fence::pass() {
  std::vector<std::shared_ptr<engine_queue>> parked;
  {
    std::lock_guard lock(mutex_);
    passed_at_ = now();
    done_.store(true, std::memory_order_release);
    parked.swap(parked_);
  }
  changed_.notify_all();
  for (auto& q : parked) q->resume();
}

bool engine_fence::notify(std::shared_ptr<engine_queue> q) {
  std::lock_guard lock(mutex_);
  if (done()) return false;
  parked_.push_back(std::move(q));
  return true;
}

void engine_fence::wait() {
  instruments::note_waited(order_);
  if (spin_until([&] { return done(); }, spin_seconds)) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done(); });
}

double engine_fence::seconds_since(fence& start) {
  auto* from = dynamic_cast<engine_fence*>(&start);
  if (!from)
    throw error("the time between two events", "they are events of different devices",
                "record both on streams of one device");
  return passed_at_ - from->passed_at_;
}

}  // namespace gs::inline GS_FLAVOUR::detail
