#pragma once
// Runs one piece of work on a thread of its own.

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace viewer {

/// Runs a function that returns a T and polls its stop token. Work that still runs when another is started, or when the
/// object is destroyed, is stopped and waited for.
template <class T>
class background {
 public:
  template <class F>
  void start(F&& work) {
    thread_ = {};  // the one before has ended
    auto place = std::make_shared<result>();
    place_ = place;
    thread_ = std::jthread([place, work = std::forward<F>(work)](const std::stop_token& stop) {
      std::optional<T> value;
      std::exception_ptr failed;
      try {
        value.emplace(work(stop));
      } catch (...) {
        failed = std::current_exception();
      }
      const std::lock_guard lock(place->mutex);
      place->value = std::move(value);
      place->failed = failed;
      place->done = true;
    });
  }

  bool running() const { return place_ != nullptr; }

  /// The result, once; nothing while it runs. Rethrows what the work threw.
  std::optional<T> take() {
    if (place_ == nullptr) return {};
    std::exception_ptr failed;
    std::optional<T> value;
    {
      const std::lock_guard lock(place_->mutex);
      if (!place_->done) return {};
      failed = place_->failed;
      value = std::move(place_->value);
    }
    place_.reset();
    if (failed) std::rethrow_exception(failed);
    return value;
  }

  void stop() {
    thread_ = {};
    place_.reset();
  }

 private:
  struct result {
    std::mutex mutex;
    bool done = false;
    std::optional<T> value;
    std::exception_ptr failed;
  };
  std::shared_ptr<result> place_;
  std::jthread thread_;
};

}  // namespace viewer
