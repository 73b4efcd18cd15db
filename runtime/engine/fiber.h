#pragma once
// fiber: a stack of its own and the place where its code was left. Boost.Context does the switch (6 ns one way).

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Pages of memory that end in one that may not be touched, so that an overflow is caught where it happens.
class guarded_stack {
 public:
  /// `bytes` is rounded up to whole pages. The stack starts `offset` bytes below the end of them: fibers whose stacks
  /// all start at one place in a page would share a few lines of the cache. Throws gs::machine_error.
  explicit guarded_stack(std::size_t bytes, std::size_t offset = 0);
  ~guarded_stack();
  guarded_stack(const guarded_stack&) = delete;
  guarded_stack& operator=(const guarded_stack&) = delete;

  char* bottom() const { return mapped_ + guard_bytes_; }  ///< the lowest address that may be used
  char* top() const { return top_; }
  std::size_t size() const { return static_cast<std::size_t>(top_ - bottom()); }
  bool guards(const void* address) const {
    return static_cast<const char*>(address) >= mapped_ && static_cast<const char*>(address) < bottom();
  }

 private:
  char* mapped_;
  char* top_;
  std::size_t mapped_bytes_, guard_bytes_;
};

/// Code that can be left and continued. A fiber without a stack is what a thread of the system was running.
class fiber {
 public:
  using entry = void (*)(void* argument);

  fiber() = default;
  explicit fiber(const guarded_stack& stack) : stack_(&stack) {}
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  const guarded_stack* stack() const { return stack_; }

  /// From now on this fiber begins with `start(argument)`, which never returns; what it was doing is forgotten.
  void begin_with(entry start, void* argument);
  /// Whether there is something to continue.
  bool started() const { return context_ != nullptr; }
  void forget() { context_ = nullptr; }

  /// Leaves `self`, which is running, and continues `next`. Returns when somebody continues `self`.
  static void jump(fiber& self, fiber& next);

 private:
  // What a jump tells the code it reaches: which fiber was left, for which.
  struct ends {
    fiber *left, *reached;
  };
  static void arrived(boost::context::detail::transfer_t from);
  static void start(boost::context::detail::transfer_t from);

  const guarded_stack* stack_ = nullptr;
  boost::context::detail::fcontext_t context_ = nullptr;
  entry entry_ = nullptr;
  void* argument_ = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack_ = nullptr;
  const void* system_bottom_ = nullptr;  // of a fiber without a stack of ours
  std::size_t system_size_ = 0;
#endif
};

}  // namespace gs::inline GS_FLAVOUR
