#pragma once
// thread_loop: how a thread of a kernel reaches the engine that runs it. The engine runs the threads of a block as a
// loop; this is what each of them knows about that loop.

#include <cstdint>
#include <source_location>

#include "runtime/core/config.h"
#include "runtime/threads/barrier_round.h"
#include "runtime/threads/fiber.h"

namespace gs::inline GS_FLAVOUR::detail {

class block_scheduler;

/// What a barrier computes from the threads' predicates.
enum class block_vote : std::uint8_t { none, count, all, any };

/// What the lanes of a warp do together.
enum class warp_action : std::uint8_t {
  sync,
  active_mask,
  ballot,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  match_any,
  match_all
};

/// A lane's part in such an action.
struct warp_operation {
  warp_action action;
  std::uint32_t mask;   ///< the lanes that take part
  std::uint64_t value;  ///< the bits of this lane's value
  unsigned operand;     ///< a shuffle's source lane, distance or bits
  unsigned width;       ///< lanes per segment of a shuffle
  std::source_location where;
};

/// A loop over the threads of a block. The first thread that has to wait hands the rest of the loop over to other
/// fibers: `handed_over` is set, and the loop ends when that thread returns. A kernel that never waits never touches
/// this, so that the compiler sees a plain loop.
struct thread_loop {
  block_scheduler* scheduler;
  bool handed_over = false;
  unsigned thread = 0;  ///< the one that has handed it over

  /// Suspends thread `number()` of the block until the threads it waits for have arrived. Returns the result of their
  /// vote. The switch is inlined into the kernel: a function that suspends its caller would return to where another
  /// thread called it, and the processor mispredicts every such return when a kernel has two barriers.
  template <class Number>
  [[gnu::always_inline]] unsigned wait_for_block(Number number, block_vote vote, bool predicate,
                                                 std::source_location place) {
#if GRIDSTRIDE_CHECKED
    fiber::jump(arrive_at_block(number(), predicate, place));
#else
    barrier_round& round = current_round();
    fiber::jump(round.passes(place) ? round.pass(predicate) : arrive_at_block(number(), predicate, place));
    if (vote == block_vote::none && !current_round().failed) return 0;
#endif
    return pass_block(number(), vote);
  }
  [[gnu::always_inline]] std::uint64_t wait_for_warp(unsigned number, const warp_operation& operation) {
    fiber::jump(arrive_at_warp(number, operation));
    return pass_warp(number);
  }
  [[gnu::always_inline]] void wait_for_grid(unsigned number, std::source_location place) {
    fiber::jump(arrive_at_grid(number, place));
    go_on(number);
  }

 private:
  fiber::change arrive_at_block(unsigned number, bool predicate, std::source_location place);
  fiber::change arrive_at_warp(unsigned number, const warp_operation& operation);
  fiber::change arrive_at_grid(unsigned number, std::source_location place);
  static void go_on(unsigned number);
  static unsigned pass_block(unsigned number, block_vote vote);
  static std::uint64_t pass_warp(unsigned number);
};

}  // namespace gs::inline GS_FLAVOUR::detail
