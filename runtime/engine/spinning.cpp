// How the threads of a block that spin take turns, and when the whole block gives way.

#include "runtime/engine/spinning.h"

#include "runtime/engine/scheduler_details.h"
#include "runtime/observe/site.h"

// What the mark is where no compiler has put a number in its place: it may have been told of no loop either.
extern "C" bool gridstride_spin_possible() noexcept { return false; }

extern "C" void gridstride_spin_again(const char* file, unsigned line, std::uint64_t seen, std::uint32_t round,
                                      bool only_reads) noexcept {
  using gs::detail::block_scheduler;
  if (block_scheduler* scheduler = block_scheduler::running_here())
    scheduler->spin({.file = file, .line = line, .round = round, .seen = seen}, only_reads);
}

namespace gs::inline GS_FLAVOUR::detail {

namespace {

inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void block_scheduler::run_spinning_block() {
  thread_loop loop{this};
  main_loop_ = &loop;
  try {
    for (unsigned turn = 0; turn < threads_ && !loop.handed_over; ++turn) {
      loop.thread = turns_.thread_at(thread_order_ == thread_order::backward ? threads_ - 1 - turn : turn);
      spinning_.begin_thread();
      (*run_thread_)(loop, loop.thread);
    }
  } catch (...) {
    fail(std::current_exception());
  }
  if (waited_ || failed()) finish_block(loop.handed_over, loop.thread);
  main_loop_ = nullptr;
}

// The loop that the running thread belongs to: its number stands there. Null if that isn't known.
thread_loop* block_scheduler::running_loop() const {
  const fiber* const on = running();
  return on == &main_ ? main_loop_ : static_cast<thread_fiber*>(on->argument())->loop;
}

void block_scheduler::spin(spin_turn turn, bool only_reads) {
  thread_loop* loop = running_loop();
  if (!loop && running() == &main_) loop = told_loop_;
  if (loop && loop == told_loop_ && std::exchange(told_thread_, loop->thread) != loop->thread) spinning_.begin_thread();
  if (spinning_.goes_on(turn, only_reads, spinning_threads_ > 0)) return pause_briefly();
  const unsigned number = instruments::running_thread();
  instruments::leave_thread();
  if (loop) {
    if (!waited_) begin_waiting();
    const unsigned thread = loop->thread;
    waiting_[thread].turn = turn;
    fiber::jump(suspend(*loop, thread, waits_for::others, {}));
  } else {  // the thread's number isn't known: the block stops here
    spinning_.stop_block();
    stopped_on_ = running();
    fiber::jump(*stopped_on_, system_);
  }
  if (failed()) leave_this_thread();
  spinning_.go_on(turn);
  instruments::enter_thread(number);
}

// Each thread that spins has another turn.
void block_scheduler::release_spinning() {
  for (warp_state& w : warps_) {
    const std::uint32_t lanes = std::exchange(w.spinning, 0);
    w.runnable |= lanes;
    w.waiting &= ~lanes;
  }
  warp_ = 0;
  spinning_threads_ = 0;
  spinning_.begin_round();
}

block_scheduler::progress block_scheduler::look_again() {
  if (fiber* const stopped = std::exchange(stopped_on_, nullptr)) return resume(*stopped);
  release_spinning();
  return resume(next_of_all());
}

std::string block_scheduler::spinning_thread() const {
  const auto goes_round = [](const spin_turn& turn) {
#if GRIDSTRIDE_CHECKED
    if (!turn.file) return " goes round at " + instruments::place_text(turn.where, turn.code);
#endif
    return turn.file ? fmt::format(" goes round at {}:{}", turn.file, turn.line) : std::string(" goes round in a loop");
  };
  if (stopped_on_) return "a thread" + goes_round(spinning_.turn());
  for (unsigned t = 0; t < threads_; ++t)
    if (warps_[t / warp_lanes].spinning & scheduling::bit(t % warp_lanes))
      return fmt::format("thread {}", t) + goes_round(waiting_[t].turn);
  return "no thread spins";
}

}  // namespace gs::inline GS_FLAVOUR::detail
