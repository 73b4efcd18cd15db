#pragma once
// Threads that spin: they go round in a loop until another thread has changed what they read.
//
// On a GPU every thread gets its turn, so such a loop ends. Here a core runs one thread after the other: one that reads
// the same again and again gives way to the others of its block, and a block whose threads all do, to other blocks.
// Whoever sees a thread go round tells by gridstride_spin_again: compiler/spin_loops.cpp finds the loops of a kernel,
// the instruments see every access; in a build that has neither, gs::atomic_ref tells of itself.

#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/threads/spin_marks.h"
#if GRIDSTRIDE_CHECKED
#include "runtime/observe/site.h"
#endif

namespace gs::inline GS_FLAVOUR::detail {

/// Whether gs::atomic_ref tells. Its call is the only one that may ask for the loop over the threads of the block; a
/// kernel without one keeps the loop in registers.
#if GRIDSTRIDE_SPLITS_BARRIERS || GRIDSTRIDE_CHECKED
inline constexpr bool atomics_tell_of_spinning = false;
#else
inline constexpr bool atomics_tell_of_spinning = true;
#endif

/// A thread's turn in such a loop.
struct spin_turn {
  const char* file = nullptr;
  unsigned line = 0;
  std::uint32_t round = 0;
  std::uint64_t seen = 0;
#if GRIDSTRIDE_CHECKED
  // Where the compiler doesn't say which line it is, the instruments know.
  const void* code = nullptr;
  instruments::site where = instruments::unknown_site;
#endif

  /// Whether the thread has gone round once more and learnt nothing.
  bool follows(const spin_turn& before) const {
    return file == before.file && line == before.line && seen == before.seen && round == before.round + 1;
  }
};

/// Whether the threads of the kernel whose loop follows are run so that each of them can give way to the others. Costs
/// a kernel its vectors.
[[gnu::always_inline]] inline bool may_spin() {
#if GRIDSTRIDE_SPLITS_BARRIERS
  return gridstride_spin_possible();
#elif GRIDSTRIDE_CHECKED || defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  return true;  // there are none to lose
#else
  return false;
#endif
}

}  // namespace gs::inline GS_FLAVOUR::detail
