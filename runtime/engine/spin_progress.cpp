#include "runtime/engine/spin_progress.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What another core writes mostly comes within so many turns. Where a thread of the block spins already, two say
// enough.
constexpr unsigned most_turns_alike = 64, most_turns_beside_others = 2;
// So many turns in a row a thread takes that learns something each time: perhaps only what it has written itself.
constexpr unsigned most_turns = 4096;
// Turns of all threads after which a block gives way to others, though its own threads tell each other something.
constexpr unsigned most_looks = 64;

}  // namespace

bool spin_progress::goes_on(spin_turn& turn, bool only_reads, bool beside_others) {
  if (turn.round == 0) turn.round = turn_.round + 1;
  alike_ = turn.follows(turn_) ? alike_ + 1 : 0;
  turn_ = turn;
  if (alike_ == 0) learnt_ = something_happened_ = true;  // also if it then learns no more until others have their turn
  if (alike_ < (beside_others ? most_turns_beside_others : most_turns_alike) && ++turns_taken_ < most_turns)
    return true;
  turns_taken_ = 0;
  something_happened_ |= !only_reads;
  return false;
}

void spin_progress::go_on(const spin_turn& turn) {
  turn_ = turn;
  alike_ = most_turns_alike;
}

bool spin_progress::has_another_round() {
  if (learnt_ && ++looks_ <= most_looks) return true;
  looks_ = 0;
  stuck_ = !something_happened_;
  stops_ = true;
  return false;
}

void spin_progress::stop_block() {
  stuck_ = !std::exchange(something_happened_, false);
  stops_ = true;
}

}  // namespace gs::inline GS_FLAVOUR::detail
