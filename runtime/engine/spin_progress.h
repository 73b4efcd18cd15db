#pragma once
// spin_progress: whether the threads of a block that spin learn anything, or all the block does is to wait.

#include <utility>

#include "runtime/core/config.h"
#include "runtime/engine/spinning.h"

namespace gs::inline GS_FLAVOUR::detail {

class spin_progress {
 public:
  /// Another thread begins to run.
  void begin_thread() {
    turn_ = {};
    alike_ = turns_taken_ = 0;
  }
  /// A thread has begun or ended: what the others wait for may have come.
  void note_event() {
    learnt_ = something_happened_ = true;
    looks_ = 0;
  }
  /// A thread has begun to wait, for something else than others that spin.
  void note_wait() { something_happened_ = true; }

  /// The thread that runs has gone round once more, of which `turn` tells and gets its number. Whether it goes on at
  /// once; else others have their turn. `beside_others`: some of the block spin, too.
  bool goes_on(spin_turn& turn, bool only_reads, bool beside_others);
  /// It has its turn again: unless that brings something, it is the last one.
  void go_on(const spin_turn& turn);
  /// The last turn of the thread that runs.
  const spin_turn& turn() const { return turn_; }

  /// Every thread that could go on has. Whether those that spin have another turn; else the block gives way.
  bool has_another_round();
  void begin_round() { learnt_ = something_happened_ = false; }
  /// The block gives way because the thread that runs can't give way to another.
  void stop_block();
  /// Whether the block has given way since it was asked last.
  bool take_stop() { return std::exchange(stops_, false); }
  /// Whether, before that, its threads have only waited, or read the same again.
  bool stuck() const { return stuck_; }

 private:
  spin_turn turn_;
  unsigned alike_ = 0, turns_taken_ = 0;  // its turns in which it learnt nothing, and all
  unsigned looks_ = 0;                    // rounds of all threads since one began or ended
  bool learnt_ = false;                   // one has read something else in this round
  bool something_happened_ = false;       // in this one
  bool stuck_ = false;                    // nothing, in the whole of the last one
  bool stops_ = false;                    // the block gives way
};

}  // namespace gs::inline GS_FLAVOUR::detail
