#pragma once
// thread_fibers: the fibers of a block's threads that run beside waiting ones. They are kept for the next block.

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/thread_loop.h"

namespace gs::inline GS_FLAVOUR::detail {

class block_scheduler;

struct thread_fiber {
  thread_fiber(block_scheduler& scheduler, std::size_t bytes, std::size_t offset)
      : stack(bytes, offset), owner(scheduler) {}
  guarded_stack stack;
  fiber self{stack};
  block_scheduler& owner;
  thread_loop* loop = nullptr;  ///< that runs there
};

class thread_fibers {
 public:
  /// One that is free, or else a new one with a stack of so many bytes. Stacks that are `staggered` begin at different
  /// offsets, so that those of many threads don't meet in the same sets of the caches; it costs each up to 4 KiB.
  thread_fiber& take(block_scheduler& owner, std::size_t stack_bytes, bool staggered);
  void put_back(thread_fiber& one) { idle_.push_back(&one); }
  /// The same by its fiber.
  void put_back(const fiber& self);
  /// Those that are free are taken no more: their stacks are too small for what comes.
  void forget_idle() { idle_.clear(); }
  /// The stack that an address lies in, null if in none of theirs.
  const guarded_stack* stack_around(const void* address) const;

 private:
  std::vector<std::unique_ptr<thread_fiber>> all_;
  std::vector<thread_fiber*> idle_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
