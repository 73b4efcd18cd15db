#include "tests/runtime/third_device/recording_device.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/device/backend.h"
#include "runtime/device/registered_device.h"

namespace recording {
namespace {

using clock = std::chrono::steady_clock;

class log {
 public:
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

// What is queued, on all streams, for one thread. Never destroyed, like the devices.
class worker {
 public:
  static worker& instance() {
    static worker* const instance = new worker;
    return *instance;
  }

  void add(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    changed_.notify_one();
  }
  std::thread::id id() const { return thread_.get_id(); }

 private:
  worker() : thread_([this] { run(); }) {}
  [[noreturn]] void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !work_.empty(); });
      const std::function<void()> next = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      next();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::thread thread_;
};

// How many pieces of work of a queue have run, which of them failed first, and who waits for it.
struct progress {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t queued = 0, run = 0;
  std::exception_ptr first_error;
};

// Errors of queues that are gone.
struct lost_errors {
  std::mutex mutex;
  std::exception_ptr first;
};

// Never destroyed: the worker may still run when the program ends.
log& the_log = *new log;
lost_errors& lost = *new lost_errors;

class recording_fence final : public gs::detail::fence {
 public:
  bool done() override {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  void wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }
  double seconds_since(gs::detail::fence& start) override {
    const auto* const from = dynamic_cast<recording_fence*>(&start);
    if (!from)
      throw gs::error("the time between two events", "they are events of different devices",
                      "record both on streams of one device");
    return std::chrono::duration<double>(passed_at_ - from->passed_at_).count();
  }
  void pass() {
    {
      const std::lock_guard lock(mutex_);
      passed_at_ = clock::now();
      done_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  clock::time_point passed_at_;
  bool done_ = false;
};

class recording_queue final : public gs::detail::queue {
 public:
  ~recording_queue() override {  // the worker holds what is queued
    worker::instance().add([state = state_] {
      const std::lock_guard lock(lost.mutex);
      if (!lost.first) lost.first = state->first_error;
    });
  }

  void submit(std::unique_ptr<gs::detail::host_work> work) override {
    the_log.add(fmt::format("{} items of {} threads: {}", work->items(), work->threads_per_item(), work->name()));
    add([work = std::shared_ptr<gs::detail::host_work>(std::move(work))] {
      const auto on_this_thread = [](std::size_t n, std::size_t /*grain*/,
                                     gs::detail::function_ref<void(std::size_t, std::size_t)> body) {
        if (n > 0) body(0, n);
      };
      work->run(on_this_thread);
    });
  }

  void wait() override {
    std::unique_lock lock(state_->mutex);
    const std::size_t last = state_->queued;
    state_->changed.wait(lock, [&] { return state_->run >= last; });
    if (state_->first_error) std::rethrow_exception(std::exchange(state_->first_error, nullptr));
  }

  bool idle() override {
    const std::lock_guard lock(state_->mutex);
    return state_->run == state_->queued;
  }

  std::shared_ptr<gs::detail::fence> mark() override {
    auto point = std::make_shared<recording_fence>();
    if (idle())
      point->pass();
    else
      add([point] { point->pass(); });
    return point;
  }

  // One thread runs everything in the order in which it was queued, and the point was queued before. A piece of work
  // that does nothing keeps this queue from being idle until then.
  void wait_for(std::shared_ptr<gs::detail::fence> point) override {
    if (!std::dynamic_pointer_cast<recording_fence>(point))
      throw gs::error("a stream of the recording device was told to wait for an event", "an event of another device",
                      "record the event on a stream of the same device");
    the_log.add("wait for an event");
    add([] {});
  }

 private:
  void add(std::function<void()> work) {
    {
      const std::lock_guard lock(state_->mutex);
      ++state_->queued;
    }
    worker::instance().add([work = std::move(work), state = state_]() mutable {
      std::exception_ptr error;
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      work = nullptr;  // what it held is gone before anybody learns that it has run
      {
        const std::lock_guard lock(state->mutex);
        if (!state->first_error) state->first_error = error;
        ++state->run;
      }
      state->changed.notify_all();
    });
  }

  std::shared_ptr<progress> state_ = std::make_shared<progress>();
};

class recording_device final : public gs::detail::backend {
 public:
  explicit recording_device(gs::device_kind kind)
      : info_{.kind = kind, .name = "recording device", .memory = memory_bytes, .multiprocessors = 1} {}

  const gs::device_info& info() const override { return info_; }

  void* allocate(std::size_t bytes) override {
    if (in_use_ + bytes > memory_bytes) return nullptr;
    in_use_ += bytes;
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void deallocate(void* memory, std::size_t bytes) override {
    in_use_ -= bytes;
    std::free(memory);
  }
  void copy_to_device(void* device, const void* host, std::size_t bytes) override {
    copy(device, host, bytes, "to the device");
  }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override {
    copy(host, device, bytes, "to the host");
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes, "within"); }

  std::shared_ptr<gs::detail::queue> make_queue() override { return std::make_shared<recording_queue>(); }
  std::size_t cooperative_threads(std::string_view /*kernel*/) const override { return 4096; }
  std::exception_ptr take_lost_error() override {
    const std::lock_guard lock(lost.mutex);
    return std::exchange(lost.first, nullptr);
  }

 private:
  static void copy(void* to, const void* from, std::size_t bytes, const char* direction) {
    the_log.add(fmt::format("copy {} bytes {}", bytes, direction));
    std::memcpy(to, from, bytes);
  }

  gs::device_info info_;
  std::atomic<std::size_t> in_use_ = 0;
};

std::unique_ptr<gs::detail::backend> make_device(gs::device_kind kind) {
  return std::make_unique<recording_device>(kind);
}

const gs::detail::registered_device registration({.name = "recording",
                                                  .why_missing = [] { return std::string(); },
                                                  .make = make_device});

}  // namespace

gs::device_kind kind() { return registration.kind(); }

std::vector<std::string> take_log() { return the_log.take(); }

std::thread::id thread() { return worker::instance().id(); }

}  // namespace recording
