#include "compiler/replay_marks.h"

#include "compiler/rewrite.h"
#include "compiler/watched_reads.h"

namespace splitter {

bool remove_replay_marks(function* f) {
  std::vector<gimple*> threads, turns;
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      const std::string name = name_of(gsi_stmt(at));
      if (name == "gridstride_replay_keeps_marks") return false;
      if (name == "gridstride_replay_thread") threads.push_back(gsi_stmt(at));
      if (name == "gridstride_replay_turn") turns.push_back(gsi_stmt(at));
    }
  for (gimple* mark : turns) replace_call(mark, gimple_call_arg(mark, 0));
  for (gimple* mark : threads) replace_call(mark, NULL_TREE);
  return !threads.empty() || !turns.empty();
}

}  // namespace splitter
