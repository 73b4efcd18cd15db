#pragma once
// shared_loop: a loop that several threads run together, and that one more can join while it runs.

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Pieces of [0, n) that together cover it once. Each thread takes the next one when it has done its last. Pieces are
/// large at first and small in the end (guided self-scheduling, C. D. Polychronopoulos and D. J. Kuck, 1987), and begin
/// at multiples of `grain`, so that two cores never write to one cache line.
class shared_loop {
 public:
  /// Must outlive the loop.
  using piece = function_ref<void(std::size_t begin, std::size_t end)>;
  shared_loop(std::size_t n, std::size_t grain, piece body);

  /// Runs pieces until all have been taken, on no more threads than there are cores. Doesn't throw: an error ends the
  /// loop.
  void take_part();
  /// Once all threads have left: throws the first error, if there was one.
  void finish() const;

  /// The number of threads that can find work in it.
  std::size_t most_threads() const;

 private:
  bool take(std::size_t& begin, std::size_t& end);
  void fail(std::exception_ptr error);

  const std::size_t n_, grain_, grains_;
  const piece body_;
  std::atomic<std::size_t> taken_{0};  // grains
  std::atomic<unsigned> threads_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

/// A place where a running loop can be found by a thread that waits for it, and had better help.
class loop_offer {
 public:
  loop_offer() = default;
  /// Calls `opened` whenever a loop can be joined from now on.
  explicit loop_offer(std::function<void()> opened) : opened_(std::move(opened)) {}

  /// Whether there is a loop to join.
  bool open() const { return loop_ != nullptr; }
  /// Takes part in the loop, if there is one.
  void join();

  /// While it lives, the outermost loops of this thread (for_pieces) are found at `offer`.
  class scope {
   public:
    explicit scope(loop_offer& offer);
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
  };
  /// For for_pieces: while it lives, `loop` is found at this thread's loop_offer, if it has one. Its destructor waits
  /// for the helpers that have joined.
  class announcement {
   public:
    explicit announcement(shared_loop& loop);
    ~announcement();
    announcement(const announcement&) = delete;
    announcement& operator=(const announcement&) = delete;

   private:
    loop_offer* const offer_;
  };

 private:
  const std::function<void()> opened_;
  std::atomic<shared_loop*> loop_{nullptr};
  std::atomic<int> helpers_{0};  // between looking for the loop and having left it
};

}  // namespace gs::inline GS_FLAVOUR::detail
