// How a block fails: the first error of a thread, threads that could never go on, and threads that are given up where
// they are. The others leave their fibers then.

#include <exception>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/scheduler_details.h"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace gs::inline GS_FLAVOUR::detail {

using scheduling::bit, scheduling::same_place, scheduling::text;
using scheduling::waits_for_block;

std::string scheduling::waits_for_block(unsigned thread, const std::source_location& where,
                                        const std::source_location& beside) {
  return fmt::format("thread {} waits for the block at {}", thread, text(where, beside));
}
error scheduling::wait_in_vain(std::string_view kernel, const std::string& one, const std::string& other) {
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

std::string block_scheduler::place_of(unsigned thread, unsigned other) const {
  const waiting_thread& one = waiting_[thread];
  const std::string place = text(one.where, waiting_[other].where);
  switch (one.what) {
    case waits_for::warp:
      return fmt::format("thread {} waits at {} for the lanes {:#010x} of its warp", thread, place,
                         operations_[thread].mask);
    case waits_for::grid:
      return fmt::format("thread {} waits for the grid at {}", thread, place);
    default:
      return waits_for_block(thread, one.where, waiting_[other].where);
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
  const auto waits = [&](unsigned t) { return instruments::waiting_thread{t, waiting_[t].where}; };
  const instruments::waiting_thread one = waits(first);
  const instruments::waiting_thread two = waits(second == none ? first : second);
  if (instruments::divergent_barrier(one, second == none ? nullptr : &two))
    return fail(std::make_exception_ptr(instruments::block_stopped{}));
  // A single place: lanes of one warp that name each other in different masks, or a lane that waits elsewhere.
  const unsigned beside = second == none ? first : second;
  const std::string other = second == none ? "no thread it waits for comes" : place_of(second, first);
  fail(std::make_exception_ptr(scheduling::wait_in_vain(kernel_, place_of(first, beside), other)));
}

const std::source_location& block_scheduler::place_in_grid_barrier() const {
  unsigned thread = 0;
  while (!(warps_[thread / warp_lanes].waiting & bit(thread % warp_lanes))) ++thread;
  return waiting_[thread].where;
}

const guarded_stack* block_scheduler::stack_around(const void* address) const {
  if (main_stack_.contains(address)) return &main_stack_;
  return fibers_.stack_around(address);
}

// The one that runs, on the emptied stack of the thread that is given up.
const block_scheduler& block_scheduler::on_emptied_stack() {
#if defined(__SANITIZE_ADDRESS__)
  const guarded_stack& stack = *on_this_thread->running()->stack();
  __asan_unpoison_memory_region(stack.bottom(), stack.size());
#endif
  return *on_this_thread;
}

std::optional<unsigned> block_scheduler::running_thread() const {
  if (marked_thread_ != gridstride_replay_no_thread) return marked_thread_;
  if (const thread_loop* const loop = running_loop()) return loop->thread;
  if (!waited_) return std::nullopt;
  // It was the first to wait in the loop on the main fiber: those before it have returned.
  if (!in_round()) return resumed_;
  for (unsigned t = 0; t < threads_; ++t)
    if (warps_[t / warp_lanes].live & bit(t % warp_lanes)) return t;
  return std::nullopt;
}

const thread_fault& block_scheduler::note_fault(thread_fault::kind what, const fault_signal& signal) {
  fault_ = {.what = what,
            .signal = signal,
            .stack_bytes = stack_in_use()->size(),
            .kernel = kernel_,
            .grid = grid_,
            .block = block_,
            .block_number = block_number_,
            .thread = running_thread()};
  return fault_;
}

// What is made for the message must be gone before the stack is left for ever.
void block_scheduler::go_on_after_fault() {
  const block_scheduler& self = on_emptied_stack();
  const bool is_finding = self.fault_.what == thread_fault::kind::access && instruments::stopped_by(self.fault_.signal);
  std::exception_ptr why =
      is_finding ? std::make_exception_ptr(instruments::block_stopped{}) : as_exception(self.fault_);
  go_on_without_this_thread(std::move(why));
}

void block_scheduler::go_on_without_this_thread(std::exception_ptr why) {
  on_this_thread->fail(std::move(why));
  on_this_thread->leave_this_thread();
}

// The block has failed; nothing on this stack matters any more.
void block_scheduler::leave_this_thread() {
  fiber& lost = *running();
  // The thread that ran is neither waiting nor runnable; it counts as returned.
  if (waited_)
    for (unsigned t = 0; t < threads_; ++t)
      if (!(warps_[t / warp_lanes].runnable & bit(t % warp_lanes)))
        mark_returned(turns_.turn_of(t), turns_.turn_of(t) + 1);
  if (&lost == &main_) {
    while (waited_ && live_ > 0) switch_to(next_of_all());
    main_is_lost_ = true;
    work_.reset();
    switch_to(system_);
  } else {
    fiber& following = next_of_all();
    fibers_.put_back(lost);
    switch_to(following);
  }
  std::terminate();  // nobody continues a stack that has been lost
}

}  // namespace gs::inline GS_FLAVOUR::detail
