#pragma once
// waiting_loops: loops that may go round for other threads' sake, and not because they count.

#include "compiler/gcc.h"

namespace splitter {

struct waiting_loop {
  std::vector<gimple*> reads;  ///< what other threads may change: read atomically, as volatile, or for the loop's end
  bool only_reads;             ///< it changes nothing that others see as long as it reads the same, and counts nothing
  std::vector<edge> entries;   ///< ways into it
  std::vector<edge> rounds;    ///< ways on which it goes round again
};

/// Those of a function, innermost first. GCC's loop optimizer has to be initialised.
std::vector<waiting_loop> find_waiting_loops(function* f);

}  // namespace splitter
