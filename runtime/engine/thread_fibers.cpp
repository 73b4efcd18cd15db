#include "runtime/engine/thread_fibers.h"

namespace gs::inline GS_FLAVOUR::detail {

thread_fiber& thread_fibers::take(block_scheduler& owner, std::size_t stack_bytes, bool staggered) {
  if (idle_.empty()) {
    const std::size_t offset = staggered ? all_.size() % 16 * 256 : 0;
    all_.push_back(std::make_unique<thread_fiber>(owner, stack_bytes, offset));
    idle_.push_back(all_.back().get());
  }
  thread_fiber& one = *idle_.back();
  idle_.pop_back();
  return one;
}

void thread_fibers::put_back(const fiber& self) {
  for (const auto& one : all_)
    if (&one->self == &self) idle_.push_back(one.get());
}

const guarded_stack* thread_fibers::stack_around(const void* address) const {
  for (const auto& one : all_)
    if (one->stack.contains(address)) return &one->stack;
  return nullptr;
}

}  // namespace gs::inline GS_FLAVOUR::detail
