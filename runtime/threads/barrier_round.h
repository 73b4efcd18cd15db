#pragma once
// barrier_round: the threads of a block take turns from one barrier to the next.
//
// When a barrier of the block opens, its threads go on in their order, and in most kernels each gets to the next
// barrier without anything else that concerns the others. As long as that holds, whose turn it is follows from the
// order: nothing is chosen and no account kept, and the kernel itself does all there is to do, a dozen instructions.
// The first thread that does something else (returns, asks its warp, waits at another place, fails) ends the round; so
// does the last one, which opens the barrier. Both are the block_scheduler's work.

#include <bit>
#include <source_location>

#include "runtime/core/config.h"
#include "runtime/threads/fiber.h"

namespace gs::inline GS_FLAVOUR {

/// Whether two descriptions of a place are one. The compiler keeps one per place, so that those of one place mostly
/// are.
[[gnu::always_inline]] inline bool same_description(const std::source_location& a, const std::source_location& b) {
  return std::bit_cast<const void*>(a) == std::bit_cast<const void*>(b);
}

struct barrier_round {
  static constexpr unsigned turns_ahead = 3;  ///< fibers this far behind `last` must be known: they are fetched

  fiber **now = nullptr, **last = nullptr;  ///< in the threads' order: who runs, and who ends the round; outside, null
  std::source_location where;  ///< of the barrier that those before `now` wait at; nowhere if there are none
  unsigned votes = 0;          ///< of these, whose predicates were true
  bool failed = false;         ///< the block has failed: none may go on

  /// Whether arriving at `place` is nothing but a turn.
  [[gnu::always_inline]] bool passes(const std::source_location& place) const {
    return now != last && same_description(where, place);
  }
  /// The thread that runs waits for those behind it. The stacks of those that come soon are fetched into the cache.
  [[gnu::always_inline]] fiber::change pass(bool predicate) {
    fiber** const me = now;
    votes += predicate;
    now = me + 1;
    me[turns_ahead]->prefetch_place();
    me[turns_ahead - 1]->prefetch();
    return {me[0], me[1]};
  }
};

/// Of the block that runs on this thread of the system; null if none does. Threads that switch find it here rather than
/// by way of their stacks: what a switch reads would otherwise wait for the stack pointer of the switch before, and no
/// two could overlap.
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1835  // "attribute does not apply here": nvcc only hands it on to g++
#endif
extern constinit thread_local barrier_round* round_on_this_thread [[gnu::tls_model("initial-exec")]];
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

/// What the variable holds now. A fiber may go on on another thread of the system: where the compiler could remember
/// the variable's address from before, a function looks it up.
#if defined(__x86_64__)
[[gnu::always_inline]] inline barrier_round& current_round() { return *round_on_this_thread; }
#else
barrier_round& current_round();
#endif

}  // namespace gs::inline GS_FLAVOUR
