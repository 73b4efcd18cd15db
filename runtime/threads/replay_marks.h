#pragma once
// replay_marks: the calls by which a kernel in block style tells which of its threads runs.
//
// Its threads are loops of vectors, which have no use for a number. So the compiler's plugin takes these calls out of
// all code but that in which a block runs again after a fault: see runtime/engine/fault_replay.h. Where there is
// neither the plugin nor such loops, as in the checked flavour, they stay, and the thread is always known. Elsewhere
// there are none.

#include <cstddef>

#include "runtime/core/config.h"

extern "C" {
/// In the function that calls this, with all that is inlined into it, the marks stay.
void gridstride_replay_keeps_marks() noexcept;
/// That thread of the block begins; no thread runs from now on if it is gridstride_replay_no_thread.
GS_FN void gridstride_replay_thread(unsigned thread) noexcept;
/// Whose turn it is among n: `turn`, or n - 1 - turn where the threads of a block run backward.
[[gnu::const]] GS_FN std::size_t gridstride_replay_turn(std::size_t turn, std::size_t n) noexcept;
}
constexpr unsigned gridstride_replay_no_thread = ~0u;

namespace gs::inline GS_FLAVOUR::detail {

#if GRIDSTRIDE_SPLITS_BARRIERS || GRIDSTRIDE_CHECKED || !defined(__OPTIMIZE__)
constexpr bool has_replay_marks = true;
#else
constexpr bool has_replay_marks = false;
#endif

inline void mark_thread(unsigned thread) {
  if constexpr (has_replay_marks) gridstride_replay_thread(thread);
}
inline void mark_no_thread() { mark_thread(gridstride_replay_no_thread); }
template <class Number>
Number marked_turn(Number turn, Number n) {
  if constexpr (has_replay_marks) return static_cast<Number>(gridstride_replay_turn(turn, n));
  return turn;
}

}  // namespace gs::inline GS_FLAVOUR::detail
