#pragma once
// block_scheduler: runs the threads of one block after another on one core.
//
// The threads run as a loop on the scheduler's main fiber. One that has to wait leaves its fiber where it is, and the
// loop over the others goes on, on another fiber; so a kernel that never waits is nothing but the loop. Fibers switch
// straight to the next thread. Warps run in order, each as far as it gets; when all are stuck, the block's barrier
// opens if every thread that hasn't returned waits at the same place, and otherwise none could ever go on: an error.
// From one barrier of the block to the next they take turns, as long as they do nothing else: see barrier_round.h. So
// they do from the last barrier to their end, and after that into the next block: its threads begin on the fibers on
// which those before them have ended.
// A thread that spins has its next turn when all others of the block wait, spin or have returned; when that has helped
// none of them, the whole block gives way: see spinning.h.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/core/index3.h"
#include "runtime/engine/spin_progress.h"
#include "runtime/engine/spinning.h"
#include "runtime/engine/thread_fault.h"
#include "runtime/engine/thread_fibers.h"
#include "runtime/engine/turn_order.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/barrier_round.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/replay_marks.h"
#include "runtime/threads/shared_window.h"
#include "runtime/threads/thread_loop.h"

namespace gs::inline GS_FLAVOUR::detail {

class block_scheduler {
 public:
  static constexpr std::size_t loop_stack_bytes = std::size_t{1} << 20;      ///< of the loop over the threads
  static constexpr std::size_t thread_stack_bytes = std::size_t{128} << 10;  ///< of what runs beside a waiting thread

  block_scheduler();
  ~block_scheduler();
  block_scheduler(const block_scheduler&) = delete;
  block_scheduler& operator=(const block_scheduler&) = delete;

  /// The one of the calling thread of the system, made at first use.
  static block_scheduler& of_this_thread();
  /// Takes it from that thread, which gets `other` for it; if that is null, it makes another one.
  static std::unique_ptr<block_scheduler> take_from_this_thread(std::unique_ptr<block_scheduler> other);

  enum class progress { done, at_grid_barrier, spins };
  /// Runs `work`, which runs blocks, on the main fiber, until it has returned, until every thread of the block waits
  /// for the grid, or until all that could go on spin. Throws what a thread of the kernel threw, and gs::error where
  /// threads can't go on or a stack overflows. `kernel` is its name; both must live until the work is done.
  progress run(std::string_view kernel, function_ref<void()> work);
  /// Goes on after the block has stopped at a barrier of the grid, perhaps on another thread of the system.
  progress pass_grid_barrier();
  /// Where one of its threads waits for the grid, as run() or pass_grid_barrier() has said.
  const std::source_location& place_in_grid_barrier() const;
  /// Likewise, after it has stopped because its threads spin: each of them has a turn.
  progress look_again();
  /// Whether the block's threads only wait, or have read the same again, and done nothing else.
  bool stuck() const { return spinning_.stuck(); }
  /// "thread 3 goes round at FILE:LINE", of one that spins.
  std::string spinning_thread() const;

  /// Blocks that `work` is to run, one after the other. A block that is set aside is the last of them.
  struct block_range {
    std::size_t next, end;
    bool set_aside = false;
  };
  using range_runner = function_ref<void(block_scheduler&, block_range&)>;
  /// The same as run().
  progress run_range(std::string_view kernel, std::size_t begin, std::size_t end, range_runner work);
  block_range& range() { return range_; }
  const block_range& range() const { return range_; }

  enum class thread_order : std::uint8_t { as_a_loop, forward, backward };
  /// The same as run(), for the replay of a fault in a process that ends afterwards: a block's threads run one after
  /// the other, so that running_thread() is known, each on a stack as large as the loop's. Backward, none may wait.
  progress run_thread_by_thread(std::string_view kernel, thread_order order, function_ref<void()> work);

  /// Lets go of threads that wait for a grid that will never come; nothing happens if there are none.
  void abandon();

  using thread_runner = function_ref<void(thread_loop&, unsigned thread)>;
  /// For `work`: runs a block's threads. `whole_loop(loop)` runs all of them and stops as soon as the loop has been
  /// handed over, `run_thread(loop, thread)` runs one.
  template <class Loop>
  void run_block(unsigned threads, bool cooperative, const Loop& whole_loop, thread_runner run_thread) {
    threads_ = threads;
    cooperative_ = cooperative;
    waited_ = false;
    run_thread_ = &run_thread;
    turns_.arrange(threads);
    if (!turns_.as_numbered()) next_thread_ = 0;
    if (may_spin() || thread_order_ != thread_order::as_a_loop) return run_spinning_block();
    thread_loop loop{this};  // nobody else may learn of it in a kernel that doesn't wait: it stays in registers
    if constexpr (atomics_tell_of_spinning) told_loop_ = &loop;
    try {
      whole_loop(loop);
    } catch (...) {
      fail(std::current_exception());
    }
    if constexpr (atomics_tell_of_spinning) told_loop_ = nullptr;
    if (waited_ || failed()) finish_block(loop.handed_over, loop.thread);
  }

  /// For `whole_loop`: whether the threads run in another order than that of their numbers; then run_rest_of_loop() is
  /// the loop.
  bool has_order_of_its_own() const { return !turns_.as_numbered(); }
  void run_rest_of_loop(thread_loop& loop);

  /// For `work`: memory for what the threads of a split kernel keep across its barriers; see split_loop.h.
  std::byte* split_memory(std::size_t bytes);

  /// The block's shared memory; its content is what the block before left.
  std::byte* shared_memory() { return shared_.data(); }
  /// The same; null if no kernel has asked for it yet.
  const std::byte* shared_memory_so_far() const { return shared_.data_so_far(); }

  /// For `work`: the extents of the grid and of its blocks, before it begins any of them; then, which block begins.
  /// Nobody asks unless a signal comes.
  void begin_grid(const index3& grid, const index3& block) {
    grid_ = grid;
    block_ = block;
  }
  void begin_block(std::size_t number) { block_number_ = number; }
  /// Where that number stands, for a loop over blocks of one grid.
  volatile std::size_t& block_number() { return block_number_; }

  // For thread_loop: a thread begins to wait, which says whose turn it is, and goes on when it has waited.
  fiber::change arrive_at_block(thread_loop& loop, unsigned thread, bool predicate, const std::source_location& where);
  fiber::change arrive_at_warp(thread_loop& loop, unsigned thread, const warp_operation& operation);
  fiber::change arrive_at_grid(thread_loop& loop, unsigned thread, const std::source_location& where);
  unsigned pass_block(unsigned thread, block_vote vote) const;
  std::uint64_t pass_warp(unsigned thread) const;
  void go_on(unsigned thread) const;

  /// For the marks of block style (replay_marks.h): the thread that begins, gridstride_replay_no_thread for none; and
  /// whether the threads run backward.
  void mark_thread(unsigned thread) { marked_thread_ = thread; }
  bool runs_backward() const { return thread_order_ == thread_order::backward; }

  /// For gridstride_spin_again: returns when the thread that runs is to go round.
  void spin(spin_turn turn, bool only_reads);

  /// For the handlers of signals: the scheduler that runs on this thread of the system, else null; whether `address`
  /// lies under the stack in use; whether that is the stack pointer's; and what goes on at that stack's top.
  static block_scheduler* running_here();
  bool overflowed(const void* address) const { return running()->stack() && running()->stack()->guards(address); }
  bool runs_on(const void* stack_pointer) const { return stack_in_use() && stack_in_use()->contains(stack_pointer); }
  char* stack_top() const { return running()->stack()->top(); }
  const thread_fault& note_fault(thread_fault::kind what, const fault_signal& signal);
  [[noreturn]] static void go_on_after_fault();
  /// The thread of the block that runs, by its number; none in a loop over the threads, which doesn't tell.
  std::optional<unsigned> running_thread() const;
  /// Leaves the thread of the kernel that runs where it is, for ever; its block fails because of `why`.
  [[noreturn]] static void go_on_without_this_thread(std::exception_ptr why);
  /// For the instruments: the stack in use, null if it is the system's; the stack that `address` lies in, among those
  /// of the block's threads; null if in none.
  const guarded_stack* stack_in_use() const { return running()->stack(); }
  const guarded_stack* stack_around(const void* address) const;

 private:
  static constexpr unsigned warp_lanes = 32;
  enum class waits_for : std::uint8_t { nothing, block, warp, grid, others };

  struct waiting_thread {
    fiber* on = nullptr;
    std::source_location where;
    std::uint64_t result = 0;
    waits_for what = waits_for::nothing;
    spin_turn turn;  // the last one of a thread that spins
  };
  struct warp_state {                // lanes as masks
    std::uint32_t live = 0;          // have not returned
    std::uint32_t waiting = 0;       // among them: may not go on yet
    std::uint32_t in_operation = 0;  // among these: wait for others of the warp
    std::uint32_t spinning = 0;      // among these: spin
    std::uint32_t runnable = 0;      // have waited and may go on
  };
  struct barrier {
    unsigned arrived = 0, votes = 0;
    std::source_location where;
    bool places_differ = false;
  };
  struct alignas(64) cache_line {
    std::byte bytes[64];
  };
  struct abandoned {};  // thrown at threads that wait for what will never come
  // What those threads do that a round has not reached: go on behind a barrier, begin, or go on to their end.
  enum class round_kind : std::uint8_t { after_barrier, first_of_block, last_of_block };

  void run_spinning_block();
  thread_loop* running_loop() const;
  void release_spinning();
  [[noreturn]] void leave_this_thread();

  void begin_waiting();
  fiber::change suspend(thread_loop& loop, unsigned thread, waits_for what, const std::source_location& where);
  void end_loop(bool handed_over, unsigned thread);
  void mark_returned(unsigned begin, unsigned end);
  void finish_block(bool handed_over, unsigned thread);

  fiber* running() const { return in_round() ? *round_.now : running_; }
  fiber::change pass_turn(bool predicate);
  bool in_round() const { return round_.now != nullptr; }
  void begin_round(round_kind kind);
  void leave_round();
  bool may_begin_in_turns(unsigned thread) const;
  fiber::change begin_in_turns(thread_loop& loop, bool predicate, const std::source_location& where);
  bool may_end_in_turns(bool handed_over) const;
  fiber::change end_turn(thread_fiber& one, const thread_loop& loop);
  bool run_in_turn(thread_loop& loop);
  void let_go(unsigned begin, unsigned end);
  fiber::change change_to(fiber& next) { return {std::exchange(running_, &next), &next}; }
  void switch_to(fiber& next) { fiber::jump(change_to(next)); }
  fiber& next();
  fiber& next_of_all();
  bool starts_in(unsigned w) const;
  fiber& first_lane(unsigned w) const;
  fiber& take_lane(unsigned w);
  fiber& start_rest_of_loop();
  bool resolve_warp(unsigned w);
  std::uint64_t lane_result(unsigned first, unsigned lane, std::uint32_t present) const;
  bool open_barrier();
  void release_all();
  void refuse_to_wait();
  static const block_scheduler& on_emptied_stack();
  std::string place_of(unsigned thread, unsigned other) const;
  progress resume(fiber& first);

  bool failed() const { return round_.failed; }
  void fail(std::exception_ptr error);
  static void run_work(void* scheduler);
  static void run_threads(void* one_fiber);

  std::string_view kernel_;
  index3 grid_{1, 1, 1}, block_{1, 1, 1};
  volatile std::size_t block_number_ = 0;
  thread_fault fault_;
  std::optional<function_ref<void()>> work_;  // none when it is done
  const thread_runner* run_thread_ = nullptr;
  unsigned threads_ = 0;
  bool cooperative_ = false;
  thread_order thread_order_ = thread_order::as_a_loop;
  unsigned marked_thread_ = gridstride_replay_no_thread;
  [[no_unique_address]] turn_order turns_;
  bool waited_ = false;  // a thread of this block has waited: the next four are in use

  barrier_round round_;
  round_kind kind_ = round_kind::after_barrier;  // of the round
  std::vector<fiber*> order_;  // of the threads that have not returned, and the first of them again; empty if not known
  std::vector<thread_fiber*> crew_;  // by number, but not the first, those on which the threads of the last block ended
                                     // in turns; they are in order_, too
  unsigned crew_size_ = 0;           // that block's threads; 0 if there is no such crew

  std::vector<waiting_thread> waiting_;     // by number in the block
  std::vector<warp_operation> operations_;  // likewise
  std::vector<warp_state> warps_;
  barrier arriving_, opened_;
  unsigned warp_ = 0;         // the turn of the one that runs
  unsigned resumed_ = 0;      // the thread that was continued last
  unsigned next_thread_ = 0;  // the turn of the first that no loop has reached
  unsigned live_ = 0;         // threads that have not returned

  // Of threads that spin.
  thread_loop* main_loop_ = nullptr;  // that runs on the main fiber; null if its threads can't give way
  thread_loop* told_loop_ = nullptr;  // likewise, whose thread is known only to a call that the kernel makes
  unsigned told_thread_ = 0;          // the last one that told of itself there
  fiber* stopped_on_ = nullptr;       // the block has stopped there, with a thread that can't give way to another
  unsigned spinning_threads_ = 0;
  spin_progress spinning_;
  block_range range_{.next = 0, .end = 0};
  std::optional<range_runner> run_range_;
  struct {
    block_scheduler& self;
    void operator()() const { (*self.run_range_)(self, self.range_); }
  } run_my_range_{*this};

  std::vector<cache_line> split_memory_;

  guarded_stack main_stack_{loop_stack_bytes};
  fiber system_, main_{main_stack_};
  fiber* running_ = &system_;
  bool main_is_lost_ = false;  // its stack has overflown
  thread_fibers fibers_;
  std::exception_ptr error_;
  shared_slot shared_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
