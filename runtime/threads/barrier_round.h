#pragma once
// barrier_round: the threads of a block take turns from one barrier to the next.
//
// When a barrier of the block opens, its threads go on in order, and in most kernels each reaches the next barrier
// without doing anything that concerns the others. As long as that holds, the order alone says whose turn it is:
// nothing is scheduled or counted, and the kernel itself runs the dozen instructions of a switch. The first thread that
// does something else (returns, calls a warp operation, waits at another place, fails) ends the round; so does the last
// one, which opens the barrier. Both are the block_scheduler's work.

#include <bit>
#include <source_location>

#include "runtime/core/config.h"
#include "runtime/threads/fiber.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Whether two places share one description. The compiler keeps one per place, so that the same place mostly does.
[[gnu::always_inline]] inline bool same_description(const std::source_location& a, const std::source_location& b) {
  return std::bit_cast<const void*>(a) == std::bit_cast<const void*>(b);
}

struct barrier_round {
  static constexpr unsigned turns_ahead = 3;  ///< there must be fibers this far behind `last`: they are fetched

  fiber **now = nullptr, **last = nullptr;  ///< the running thread, and the one that ends the round; null outside
  std::source_location where;               ///< the barrier at which the threads before `now` wait
  unsigned votes = 0;                       ///< of these threads, those whose predicates were true
  bool failed = false;                      ///< the block has failed: no thread may go on

  /// Whether a thread that arrives at `place` only passes the turn on.
  [[gnu::always_inline]] bool passes(const std::source_location& place) const {
    return now != last && same_description(where, place);
  }
  /// The running thread passes the turn to the next. The stacks of the two threads after that are fetched into the
  /// cache.
  [[gnu::always_inline]] fiber::change pass(bool predicate) {
    fiber** const self = now;
    votes += predicate;
    now = self + 1;
    self[turns_ahead]->prefetch_place();
    self[turns_ahead - 1]->prefetch();
    return {self[0], self[1]};
  }
};

/// The round of the block that runs on this system thread; null if none does. Threads that switch find it here and not
/// through their stacks: otherwise a switch's reads would wait for the stack pointer of the switch before, and no two
/// could overlap.
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1835  // "attribute does not apply here": nvcc only hands it on to g++
#endif
extern constinit thread_local barrier_round* round_on_this_thread [[gnu::tls_model("initial-exec")]];
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

/// The variable's value now. A fiber may continue on another system thread: where the compiler could reuse the
/// variable's address from before, a function looks it up.
#if defined(__x86_64__)
[[gnu::always_inline]] inline barrier_round& current_round() { return *round_on_this_thread; }
#else
barrier_round& current_round();
#endif

}  // namespace gs::inline GS_FLAVOUR::detail
