#include "runtime/engine/block_scheduler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/fault_replay.h"
#include "runtime/engine/kernel_faults.h"
#include "runtime/engine/last_kernel.h"
#include "runtime/engine/scheduler_details.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

using scheduling::bit, scheduling::same_place, scheduling::text;

constinit thread_local barrier_round* round_on_this_thread = nullptr;
#if !defined(__x86_64__)
barrier_round& current_round() { return *round_on_this_thread; }
#endif

constinit thread_local block_scheduler* on_this_thread = nullptr;

fiber::change thread_loop::arrive_at_block(unsigned number, bool predicate, std::source_location where) {
  instruments::arrive(number, instruments::meeting_place::block, where, __builtin_frame_address(0));
  return on_this_thread->arrive_at_block(*this, number, predicate, where);
}
fiber::change thread_loop::arrive_at_warp(unsigned number, const warp_operation& operation) {
  instruments::arrive(number, instruments::meeting_place::warp, operation.where, __builtin_frame_address(0));
  return on_this_thread->arrive_at_warp(*this, number, operation);
}
fiber::change thread_loop::arrive_at_grid(unsigned number, std::source_location where) {
  instruments::arrive(number, instruments::meeting_place::grid, where, __builtin_frame_address(0));
  return on_this_thread->arrive_at_grid(*this, number, where);
}
void thread_loop::go_on(unsigned number) { on_this_thread->go_on(number); }
unsigned thread_loop::pass_block(unsigned number, block_vote vote) { return on_this_thread->pass_block(number, vote); }
std::uint64_t thread_loop::pass_warp(unsigned number) { return on_this_thread->pass_warp(number); }

// --- running ---------------------------------------------------------------------------------------------------------

block_scheduler::block_scheduler() { catch_kernel_faults(); }
block_scheduler::~block_scheduler() = default;

namespace {
constinit thread_local block_scheduler* mine_on_this_thread = nullptr;
}
block_scheduler& block_scheduler::of_this_thread() {
  // What is still queued when the program ends runs while it exits, after the main thread's own variables have been
  // destroyed: a scheduler made then stays.
  struct owner {
    ~owner() { delete std::exchange(mine_on_this_thread, nullptr); }
  };
  if (!mine_on_this_thread) {
    mine_on_this_thread = new block_scheduler;
    thread_local const owner at_the_end;
  }
  return *mine_on_this_thread;
}

std::unique_ptr<block_scheduler> block_scheduler::take_from_this_thread(std::unique_ptr<block_scheduler> other) {
  return std::unique_ptr<block_scheduler>(std::exchange(mine_on_this_thread, other.release()));
}

block_scheduler* block_scheduler::running_here() { return on_this_thread; }

namespace {
constinit thread_local pid_t number_of_this_thread = 0;
}

block_scheduler::progress block_scheduler::run(std::string_view kernel, function_ref<void()> work) {
  kernel_ = kernel;
  last_kernel::note(kernel);
  work_ = work;
  waited_ = false;
  marked_thread_ = gridstride_replay_no_thread;
  main_loop_ = nullptr;
  if (!main_.started()) main_.begin_with(&run_work, this);
  return resume(main_);
}

block_scheduler::progress block_scheduler::run_range(std::string_view kernel, std::size_t begin, std::size_t end,
                                                     range_runner work) {
  range_ = {begin, end};
  run_range_ = work;
  return run(kernel, run_my_range_);
}

block_scheduler::progress block_scheduler::run_thread_by_thread(std::string_view kernel, thread_order order,
                                                                function_ref<void()> work) {
  thread_order_ = order;
  crew_size_ = 0;
  fibers_.forget_idle();
  return run(kernel, work);
}

std::byte* block_scheduler::split_memory(std::size_t bytes) {
  waited_ = false;
  const std::size_t lines = (bytes + sizeof(cache_line) - 1) / sizeof(cache_line);
  if (split_memory_.size() < lines) split_memory_ = std::vector<cache_line>(lines);
  return split_memory_.data()->bytes;
}

block_scheduler::progress block_scheduler::pass_grid_barrier() {
  release_all();
  return resume(next());
}

void block_scheduler::abandon() {
  if (!work_) return;
  try {
    fail(std::make_exception_ptr(abandoned{}));
    fiber* const stopped = std::exchange(stopped_on_, nullptr);
    resume(stopped ? *stopped : next());
  } catch (...) {  // what they throw on the way out: the launch has failed already, and the first error is reported
  }
}

block_scheduler::progress block_scheduler::resume(fiber& first) {
  give_signals_a_stack();
  if (number_of_this_thread == 0) number_of_this_thread = gettid();
  last_kernel::note_thread(number_of_this_thread);
  on_this_thread = this;
  round_on_this_thread = &round_;
  running_ = &first;
  fiber::jump(system_, first);
  on_this_thread = nullptr;
  round_on_this_thread = nullptr;
  if (std::exchange(main_is_lost_, false)) main_.forget();
  if (work_ && !spinning_.take_stop()) return progress::at_grid_barrier;
  if (work_) {
    instruments::set_block_aside();
    return progress::spins;
  }
  round_.failed = false;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return progress::done;
}

void block_scheduler::run_work(void* scheduler) {
  auto& self = *static_cast<block_scheduler*>(scheduler);
  for (;;) {
    try {
      (*self.work_)();
    } catch (...) {
      self.fail(std::current_exception());
    }
    self.work_.reset();
    self.switch_to(self.system_);
  }
}

// --- waiting ---------------------------------------------------------------------------------------------------------

void block_scheduler::begin_waiting() {
  if (thread_order_ == thread_order::backward) end_replay(nullptr);
  waited_ = true;
  let_go(0, std::exchange(crew_size_, 0));
  if (waiting_.size() < threads_) {
    waiting_.resize(threads_);
    operations_.resize(threads_);
  }
  warps_.assign((threads_ + warp_lanes - 1) / warp_lanes, {.live = ~std::uint32_t{0}});
  if (threads_ % warp_lanes != 0) warps_.back().live = bit(threads_ % warp_lanes) - 1;
  arriving_ = {};
  order_.clear();
  next_thread_ = 0;
  live_ = threads_;
  spinning_threads_ = 0;
}

fiber::change block_scheduler::suspend(thread_loop& loop, unsigned thread, waits_for what,
                                       const std::source_location& where) {
  if (in_round()) leave_round();
  if (!loop.handed_over) {
    loop.handed_over = true;
    loop.thread = thread;
    mark_returned(next_thread_, turns_.turn_of(thread));  // the loop's threads before this one never waited
    next_thread_ = turns_.turn_of(thread) + 1;
  }
  waiting_thread& me = waiting_[thread];
  me.on = running_;
  me.what = what;
  me.where = where;
  const unsigned w = thread / warp_lanes;
  warp_ = turns_.turn_of_warp(w);
  warps_[w].waiting |= bit(thread % warp_lanes);
  if (what == waits_for::warp) warps_[w].in_operation |= bit(thread % warp_lanes);
  if (what == waits_for::others) {
    warps_[w].spinning |= bit(thread % warp_lanes);
    ++spinning_threads_;
  } else {
    spinning_.note_wait();
  }
  return change_to(next());
}

fiber::change block_scheduler::arrive_at_block(thread_loop& loop, unsigned thread, bool predicate,
                                               const std::source_location& where) {
  instruments::leave_thread();
  if (round_.passes(where)) return round_.pass(predicate);
  if (in_round()) {
    if (round_.now == order_.data()) round_.where = where;
    if (same_place(round_.where, where)) return pass_turn(predicate);
    leave_round();
  }
  if (loop.handed_over)
    thread = resumed_;  // the same; see on_this_thread
  else if (may_begin_in_turns(thread))
    return begin_in_turns(loop, predicate, where);
  else if (!waited_)
    begin_waiting();
  if (arriving_.arrived++ == 0)
    arriving_.where = where;
  else
    arriving_.places_differ |= !same_place(arriving_.where, where);
  arriving_.votes += predicate;
  return suspend(loop, thread, waits_for::block, where);
}

// The thread that has waited runs again.
void block_scheduler::go_on([[maybe_unused]] unsigned thread) const {
  if (failed()) throw abandoned{};
  instruments::enter_thread(thread);
}

unsigned block_scheduler::pass_block(unsigned thread, block_vote vote) const {
  go_on(thread);
  switch (vote) {
    case block_vote::count:
      return opened_.votes;
    case block_vote::all:
      return opened_.votes == opened_.arrived;
    case block_vote::any:
      return opened_.votes > 0;
    default:
      return 0;
  }
}

fiber::change block_scheduler::arrive_at_grid(thread_loop& loop, unsigned thread, const std::source_location& where) {
  instruments::leave_thread();
  if (!cooperative_)
    throw error(fmt::format("grid_sync at {}", text(where)), "the launch isn't cooperative",
                "launch with .cooperative = true");
  if (!waited_) begin_waiting();
  return suspend(loop, thread, waits_for::grid, where);
}

// --- rounds ----------------------------------------------------------------------------------------------------------

// All threads that have not returned take a turn, the first of them now.
void block_scheduler::begin_round(round_kind kind) {
  if (order_.empty()) {
    for (unsigned w = 0; w < warps_.size(); ++w)
      for (std::uint32_t lanes = warps_[w].live; lanes != 0; lanes &= lanes - 1)
        order_.push_back(waiting_[w * warp_lanes + static_cast<unsigned>(std::countr_zero(lanes))].on);
    for (unsigned i = 0; i < barrier_round::turns_ahead; ++i) order_.push_back(order_[i]);
  }
  kind_ = kind;
  round_.now = order_.data();
  round_.last = order_.data() + live_ - 1;
  round_.where = {};
  round_.votes = 0;
}

// The last thread's turn opens the barrier.
fiber::change block_scheduler::pass_turn(bool predicate) {
  if (round_.now != round_.last) return round_.pass(predicate);
  fiber* const me = *round_.now;
  opened_ = {.arrived = live_, .votes = round_.votes + predicate, .where = round_.where};
  begin_round(round_kind::after_barrier);
  instruments::block_has_met();
  return {me, *round_.now};
}

// Writes down what the order stood for. The threads before the one that runs wait, or have ended; those behind it may
// go on, or have not begun.
void block_scheduler::leave_round() {
  const auto mine = static_cast<unsigned>(round_.now - order_.data());
  running_ = *round_.now;
  arriving_ = {};
  if (kind_ != round_kind::last_of_block) arriving_ = {.arrived = mine, .votes = round_.votes, .where = round_.where};
  unsigned left = mine + 1;
  for (unsigned w = 0; w < warps_.size(); ++w) {
    warp_state& warp = warps_[w];
    warp.waiting = warp.in_operation = 0;
    warp.runnable = warp.live;
    for (; left > 0 && warp.runnable != 0; --left) {
      const auto lane = static_cast<unsigned>(std::countr_zero(warp.runnable));
      const unsigned thread = w * warp_lanes + lane;
      warp.runnable &= warp.runnable - 1;
      if (left == 1) {
        warp_ = w;
        resumed_ = thread;
      } else {
        warp.waiting |= bit(lane);
        waiting_[thread].what = waits_for::block;
        waiting_[thread].where = round_.where;
      }
    }
  }
  round_.now = round_.last = nullptr;
  if (kind_ == round_kind::after_barrier) return;
  // A block that begins or ends in turns has all its threads: each has the place of its number.
  if (kind_ == round_kind::last_of_block) {
    for (warp_state& w : warps_) w.waiting = 0;
    mark_returned(0, mine);
    let_go(0, mine);
  } else {
    for (warp_state& w : warps_) w.runnable = 0;
    next_thread_ = mine + 1;
    let_go(mine + 1, threads_);
    order_.clear();
  }
}

// --- from block to block ---------------------------------------------------------------------------------------------

// Whether the crew of the block before can take this one over, which begins to wait.
bool block_scheduler::may_begin_in_turns(unsigned thread) const {
  if (has_order_of_its_own()) return false;
  return crew_size_ == threads_ && thread == 0 && !waited_;
}

fiber::change block_scheduler::begin_in_turns(thread_loop& loop, bool predicate, const std::source_location& where) {
  waited_ = true;
  crew_size_ = 0;
  next_thread_ = threads_;
  loop.handed_over = true;
  loop.thread = 0;
  begin_round(round_kind::first_of_block);
  round_.where = where;
  return pass_turn(predicate);
}

// Whether the first thread, which ends behind a barrier, begins a round of such: all threads are there and wait on
// fibers of their own.
bool block_scheduler::may_end_in_turns(bool handed_over) const {
  return handed_over && in_round() && kind_ == round_kind::after_barrier && round_.now == order_.data() &&
         live_ == threads_ && threads_ > 1 && !failed();
}

// A thread has ended on this fiber. Returns what goes on: the next one of a round, or whatever can.
fiber::change block_scheduler::end_turn(thread_fiber& one, const thread_loop& loop) {
  if (in_round() && kind_ == round_kind::last_of_block && !failed()) {
    crew_[static_cast<std::size_t>(round_.now - order_.data())] = &one;
    if (round_.now != round_.last) return round_.pass(false);
    round_.now = round_.last = nullptr;
    crew_size_ = threads_;
    running_ = &main_;
    return {&one.self, &main_};
  }
  end_loop(loop.handed_over, loop.thread);
  const fiber::change change = change_to(next());
  fibers_.put_back(one);  // after next(), which must not start another thread on this very stack
  return change;
}

// The fibers of these threads, of a crew that has ended, are free for others.
void block_scheduler::let_go(unsigned begin, unsigned end) {
  for (unsigned t = std::max(begin, 1u); t < end; ++t) fibers_.put_back(*crew_[t]);
}

// --- returning -------------------------------------------------------------------------------------------------------

// Those who have the turns from `begin` to `end`.
void block_scheduler::mark_returned(unsigned begin, unsigned end) {
  spinning_.note_event();
  order_.clear();
  for (unsigned turn = begin; turn < end; ++turn) {
    const unsigned t = turns_.thread_at(turn);
    std::uint32_t& live = warps_[t / warp_lanes].live;
    live_ -= (live >> t % warp_lanes) & 1;
    live &= ~bit(t % warp_lanes);
  }
}

void block_scheduler::end_loop(bool handed_over, unsigned thread) {
  if (in_round()) leave_round();
  if (handed_over) {
    mark_returned(turns_.turn_of(thread), turns_.turn_of(thread) + 1);
  } else {
    mark_returned(next_thread_, threads_);
    next_thread_ = threads_;
  }
}

void block_scheduler::finish_block(bool handed_over, unsigned thread) {
  if (waited_) {
    if (may_end_in_turns(handed_over)) {
      crew_.resize(threads_);
      begin_round(round_kind::last_of_block);  // at no place: a barrier that one of them comes to ends it
      fiber::jump(round_.pass(false));
    } else {
      end_loop(handed_over, thread);
    }
    while (live_ > 0 && crew_size_ == 0) switch_to(next());
  }
  if (failed()) throw abandoned{};
}

fiber& block_scheduler::start_rest_of_loop() {
  const bool as_a_loop = thread_order_ == thread_order::as_a_loop;
  thread_fiber& one = fibers_.take(*this, as_a_loop ? thread_stack_bytes : loop_stack_bytes, as_a_loop);
  one.self.begin_with(&run_threads, &one);
  return one.self;
}

void block_scheduler::run_threads(void* one_fiber) {
  auto& one = *static_cast<thread_fiber*>(one_fiber);
  block_scheduler& self = one.owner;
  for (;;) {  // the same thread of one block after another, as long as they begin and end in turns
    thread_loop loop{&self};
    one.loop = &loop;
    try {
      if (!self.in_round() || !self.run_in_turn(loop)) self.run_rest_of_loop(loop);
    } catch (...) {
      self.fail(std::current_exception());
    }
    fiber::jump(self.end_turn(one, loop));
  }
}

// Runs the thread whose turn it is to begin. False if it has returned without waiting: then the round is left.
bool block_scheduler::run_in_turn(thread_loop& loop) {
  const auto thread = static_cast<unsigned>(round_.now - order_.data());
  loop.handed_over = true;
  loop.thread = thread;
  (*run_thread_)(loop, thread);
  if (!in_round() || kind_ != round_kind::first_of_block) return true;
  leave_round();
  mark_returned(thread, thread + 1);
  loop.handed_over = false;
  return false;
}

void block_scheduler::run_rest_of_loop(thread_loop& loop) {
  for (unsigned turn = next_thread_; turn < threads_ && !loop.handed_over; ++turn) {
    loop.thread = turns_.thread_at(turn);
    spinning_.begin_thread();
    (*run_thread_)(loop, loop.thread);
  }
}

// --- choosing --------------------------------------------------------------------------------------------------------

// Mostly the next lane of the same warp; meanwhile, the stack of the one after it comes into the cache.
inline fiber& block_scheduler::next() {
  const unsigned w = turns_.warp_at(warp_);
  if (warps_[w].runnable == 0 || starts_in(w)) return next_of_all();
  fiber& lane = take_lane(w);
  if (warps_[w].runnable != 0) first_lane(w).prefetch();
  return lane;
}

fiber& block_scheduler::next_of_all() {
  for (;;) {
    for (; warp_ < warps_.size(); ++warp_) {
      const unsigned w = turns_.warp_at(warp_);
      do {
        if (starts_in(w)) {
          try {
            spinning_.note_event();
            return start_rest_of_loop();
          } catch (...) {  // no memory for another stack
            fail(std::current_exception());
          }
        }
        if (warps_[w].runnable != 0) return take_lane(w);
      } while (resolve_warp(w));
    }
    if (live_ == 0) return main_;
    if (spinning_threads_ > 0) {
      if (!spinning_.has_another_round()) return system_;
      release_spinning();
      continue;
    }
    if (!open_barrier()) return system_;
    if (in_round()) return **round_.now;
    warp_ = 0;
  }
}

// Whether the loop over the threads is to go on in this warp.
bool block_scheduler::starts_in(unsigned w) const {
  return next_thread_ < threads_ && turns_.thread_at(next_thread_) / warp_lanes == w;
}

fiber& block_scheduler::first_lane(unsigned w) const {
  return *waiting_[w * warp_lanes + turns_.first_of(w, warps_[w].runnable)].on;
}

fiber& block_scheduler::take_lane(unsigned w) {
  const unsigned lane = turns_.first_of(w, warps_[w].runnable);
  resumed_ = w * warp_lanes + lane;
  warps_[w].runnable &= ~bit(lane);
  return *waiting_[resumed_].on;
}

// Every thread that hasn't returned waits, and no warp can go on by itself. False if the whole block waits for the
// grid.
bool block_scheduler::open_barrier() {
  if (arriving_.arrived == live_ && !arriving_.places_differ) {
    opened_ = std::exchange(arriving_, {});
    instruments::block_has_met();
    if (has_order_of_its_own()) {
      release_all();
      return true;
    }
    begin_round(round_kind::after_barrier);
    return true;
  }
  unsigned at_grid = 0;
  for (unsigned t = 0; t < threads_; ++t)
    at_grid += (warps_[t / warp_lanes].waiting & bit(t % warp_lanes)) && waiting_[t].what == waits_for::grid;
  if (at_grid == live_) {
    if (instruments::watching() && live_ < threads_) {
      const auto lives = [&](unsigned t) { return (warps_[t / warp_lanes].live & bit(t % warp_lanes)) != 0; };
      unsigned returned = 0, waits = 0;
      while (lives(returned)) ++returned;
      while (!lives(waits)) ++waits;
      instruments::exit_before_grid_sync(returned, waiting_[waits].where);
    }
    return false;
  }
  // Lanes that ask who is there may have come to a warp that was passed by, before the loop over the threads had got
  // that far.
  for (unsigned w = 0; w < warps_.size(); ++w) {
    bool somebody_asks = false;
    for (std::uint32_t lanes = warps_[w].in_operation; lanes != 0; lanes &= lanes - 1)
      somebody_asks |= operations_[w * warp_lanes + static_cast<unsigned>(std::countr_zero(lanes))].action ==
                       warp_action::active_mask;
    if (somebody_asks && resolve_warp(w)) return true;
  }
  refuse_to_wait();
  return true;
}

void block_scheduler::release_all() {
  for (warp_state& w : warps_) {
    w.runnable |= std::exchange(w.waiting, 0);
    w.in_operation = w.spinning = 0;
  }
  warp_ = 0;
  spinning_threads_ = 0;
}

}  // namespace gs::inline GS_FLAVOUR::detail
