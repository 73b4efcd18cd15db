#pragma once
// shared_loop: a loop that several threads run together, and that one more can join while it runs.

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR {

/// Pieces of [0, n) that together cover it once. Each thread takes the next one when it has done its last. Pieces are
/// large at first and small in the end (guided self-scheduling, C. D. Polychronopoulos and D. J. Kuck, 1987), and begin
/// at multiples of `grain`, so that two cores never write to one cache line.
class shared_loop {
 public:
  /// Must outlive the loop.
  using piece = function_ref<void(std::size_t begin, std::size_t end)>;
  shared_loop(std::size_t n, std::size_t grain, piece body);

  /// Runs pieces until all have been taken, on no more threads than there are cores. Nothing is thrown: an error ends
  /// the loop.
  void take_part();
  /// When all have left: throws the first error, if there was one.
  void finish() const;

  /// How many threads can do anything in it.
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

/// Where a loop can be found while it runs, by a thread that waits for it and would do better to help.
class loop_offer {
 public:
  loop_offer() = default;
  /// Calls `opened` whenever a loop can be joined from now on.
  explicit loop_offer(std::function<void()> opened) : opened_(std::move(opened)) {}

  /// Whether there is a loop to join.
  bool open() const { return loop_ != nullptr; }
  /// Takes part in it, if there is one.
  void join();

  /// While it lives, the outermost loops of this thread (for_pieces) are found at `where`.
  class scope {
   public:
    explicit scope(loop_offer& where);
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
  };
  /// For for_pieces: while it lives, `loop` is offered where this thread's loops are, if they are anywhere. Its end
  /// waits for those who have joined.
  class standing {
   public:
    explicit standing(shared_loop& loop);
    ~standing();
    standing(const standing&) = delete;
    standing& operator=(const standing&) = delete;

   private:
    loop_offer* const where_;
  };

 private:
  const std::function<void()> opened_;
  std::atomic<shared_loop*> loop_{nullptr};
  std::atomic<int> helpers_{0};  // between looking for the loop and having left it
};

}  // namespace gs::inline GS_FLAVOUR
