// How the threads of a block that spin take turns, and when the whole block gives way.

#include "runtime/engine/spinning.h"

#include "runtime/engine/scheduler_details.h"
#include "runtime/observe/site.h"

// What the mark is where no compiler has put a number in its place: it may have been told of no loop either.
extern "C" bool gridstride_spin_possible() noexcept { return false; }

extern "C" void gridstride_spin_again(const char* file, unsigned line, std::uint64_t seen, std::uint32_t round,
                                      bool only_reads) noexcept {
  using gs::block_scheduler;
  if (block_scheduler* scheduler = block_scheduler::running_here())
    scheduler->spin({.file = file, .line = line, .round = round, .seen = seen}, only_reads);
}

namespace gs::inline GS_FLAVOUR {

namespace {

// What another core writes mostly comes within so many turns. Where a thread of the block spins already, two say
// enough.
constexpr unsigned most_turns_alike = 64, most_turns_beside_others = 2;
// So many turns in a row a thread takes that learns something each time: perhaps only what it has written itself.
constexpr unsigned most_turns = 4096;
// Turns of all threads after which a block gives way to others, though its own threads tell each other something.
constexpr unsigned most_looks = 64;

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
      loop.thread = thread_at(thread_order_ == thread_order::backward ? threads_ - 1 - turn : turn);
      forget_turns();
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
  if (turn.round == 0) turn.round = turn_.round + 1;
  alike_ = turn.follows(turn_) ? alike_ + 1 : 0;
  turn_ = turn;
  if (alike_ == 0) learnt_ = something_happened_ = true;  // also if it then learns no more until others have their turn
  if (alike_ < (spinning_ > 0 ? most_turns_beside_others : most_turns_alike) && ++turns_taken_ < most_turns)
    return pause_briefly();
  turns_taken_ = 0;
  something_happened_ |= !only_reads;
  const unsigned number = instruments::running_thread();
  instruments::leave_thread();
  if (thread_loop* const loop = running_loop()) {
    if (!waited_) begin_waiting();
    const unsigned thread = loop->thread;
    waiting_[thread].turn = turn;
    fiber::jump(suspend(*loop, thread, waits_for::others, {}));
  } else {  // the thread's number isn't known: the block stops here
    stuck_ = !std::exchange(something_happened_, false);
    stops_spinning_ = true;
    stopped_on_ = running();
    fiber::jump(*stopped_on_, system_);
  }
  if (failed()) leave_this_thread();
  turn_ = turn;
  alike_ = most_turns_alike;  // unless the next turn brings something, it is the last one again
  instruments::enter_thread(number);
}

// Every thread that could go on has. Whether those that spin have another turn, or the block gives way.
bool block_scheduler::let_spin() {
  if (!learnt_ || ++looks_ > most_looks) {
    looks_ = 0;
    stuck_ = !something_happened_;
    stops_spinning_ = true;
    return false;
  }
  release_spinning();
  return true;
}

void block_scheduler::release_spinning() {
  for (warp_state& w : warps_) {
    const std::uint32_t lanes = std::exchange(w.spinning, 0);
    w.runnable |= lanes;
    w.waiting &= ~lanes;
  }
  warp_ = 0;
  spinning_ = 0;
  learnt_ = something_happened_ = false;
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
  if (stopped_on_) return "a thread" + goes_round(turn_);
  for (unsigned t = 0; t < threads_; ++t)
    if (warps_[t / warp_lanes].spinning & scheduler_details::bit(t % warp_lanes))
      return fmt::format("thread {}", t) + goes_round(waiting_[t].turn);
  return "no thread spins";
}

}  // namespace gs::inline GS_FLAVOUR
