// How a block fails: the first error of a thread, threads that could never go on, and threads that are given up where
// they are. The others leave their fibers then.

#include <exception>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/scheduler_details.h"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace gs::inline GS_FLAVOUR {

using scheduler_details::bit, scheduler_details::same_place, scheduler_details::text;
using scheduler_details::waits_for_block;

std::string scheduler_details::waits_for_block(unsigned thread, const std::source_location& where) {
  return fmt::format("thread {} waits for the block at {}", thread, text(where));
}
error scheduler_details::wait_in_vain(std::string_view kernel, const std::string& one, const std::string& other) {
  return {fmt::format("a barrier in kernel {}", kernel), fmt::format("{}, and {}", one, other),
          "let all threads that have not returned reach the same barrier, outside of any condition they decide "
          "differently"};
}

void block_scheduler::fail(std::exception_ptr error) {
  if (in_round()) leave_round();
  if (error_) return;  // the first one is reported; what comes after may be its consequence
  error_ = std::move(error);
  round_.failed = true;
  if (!waited_) return;
  mark_returned(next_thread_, threads_);
  next_thread_ = threads_;
  release_all();
}

std::string block_scheduler::place_of(unsigned thread) const {
  const waiting_thread& one = waiting_[thread];
  switch (one.what) {
    case waits_for::warp:
      return fmt::format("thread {} waits at {} for the lanes {:#010x} of its warp", thread, text(one.where),
                         operations_[thread].mask);
    case waits_for::grid:
      return fmt::format("thread {} waits for the grid at {}", thread, text(one.where));
    default:
      return waits_for_block(thread, one.where);
  }
}

void block_scheduler::refuse_to_wait() {
  constexpr unsigned none = ~0u;
  unsigned first = none, second = none;
  for (unsigned t = 0; t < threads_ && second == none; ++t) {
    if (!(warps_[t / warp_lanes].waiting & bit(t % warp_lanes))) continue;
    if (first == none)
      first = t;
    else if (waiting_[t].what != waiting_[first].what || !same_place(waiting_[t].where, waiting_[first].where))
      second = t;
  }
#if GRIDSTRIDE_CHECKED
  const auto waits = [&](unsigned t) { return instruments::waiting_thread{t, waiting_[t].where}; };
  const instruments::waiting_thread one = waits(first);
  const instruments::waiting_thread two = waits(second == none ? first : second);
  if (instruments::divergent_barrier(one, second == none ? nullptr : &two))
    return fail(std::make_exception_ptr(instruments::block_stopped{}));
#endif
  // A single place: lanes of one warp that name each other in different masks, or a lane that waits elsewhere.
  const std::string other = second == none ? "no thread it waits for comes" : place_of(second);
  fail(std::make_exception_ptr(scheduler_details::wait_in_vain(kernel_, place_of(first), other)));
}

const guarded_stack* block_scheduler::stack_around(const void* address) const {
  if (main_stack_.contains(address)) return &main_stack_;
  for (const auto& one : fibers_)
    if (one->stack.contains(address)) return &one->stack;
  return nullptr;
}

// The one that runs, on the emptied stack of the thread that is given up.
const block_scheduler& block_scheduler::on_emptied_stack() {
#if defined(__SANITIZE_ADDRESS__)
  const guarded_stack& stack = *on_this_thread->running()->stack();
  __asan_unpoison_memory_region(stack.bottom(), stack.size());
#endif
  return *on_this_thread;
}

std::exception_ptr block_scheduler::fault(const std::string& found, const std::string& advice) const {
  return std::make_exception_ptr(gs::error(fmt::format("kernel {}", kernel_), found, advice));
}

// What is made for the message must be gone before the stack is left for ever.
void block_scheduler::go_on_after_overflow() {
  const block_scheduler& self = on_emptied_stack();
  const std::size_t bytes = self.running()->stack()->size();
  std::exception_ptr why = self.fault(fmt::format("a thread needs more than its stack of {} KiB", bytes / 1024),
                                      "make its local arrays smaller or its recursion shallower");
  go_on_without_this_thread(std::move(why));
}

void block_scheduler::go_on_after_division() {
  std::exception_ptr why =
      on_emptied_stack().fault("a thread divided an integer by zero, or the most negative one by -1",
                               "check the divisor first: on a GPU the quotient would be some number");
  go_on_without_this_thread(std::move(why));
}

void block_scheduler::go_on_without_this_thread(std::exception_ptr why) {
  block_scheduler& self = *on_this_thread;
  fiber& lost = *self.running();
  self.fail(std::move(why));
  // The thread that ran is neither waiting nor runnable; it counts as returned.
  if (self.waited_)
    for (unsigned t = 0; t < self.threads_; ++t)
      if (!(self.warps_[t / warp_lanes].runnable & bit(t % warp_lanes))) self.mark_returned(t, t + 1);
  if (&lost == &self.main_) {
    while (self.waited_ && self.live_ > 0) self.switch_to(self.next());
    self.main_is_lost_ = true;
    self.work_.reset();
    self.switch_to(self.system_);
  } else {
    fiber& following = self.next();
    for (auto& one : self.fibers_)
      if (&one->self == &lost) self.idle_.push_back(one.get());
    self.switch_to(following);
  }
  std::terminate();  // nobody continues a stack that has been lost
}

}  // namespace gs::inline GS_FLAVOUR
