#pragma once
// waiting_loops: loops that may be waiting for other threads, and not merely counting.

#include "compiler/gcc.h"

namespace splitter {

struct waiting_loop {
  std::vector<gimple*> reads;  ///< what other threads may change: read atomically, as volatile, or for the loop's end
  bool only_reads;             ///< it changes nothing that others see as long as it reads the same, and counts nothing
  std::vector<edge> entries;   ///< edges into it
  std::vector<edge> rounds;    ///< edges on which it goes round again
};

/// Those of a function, innermost first. GCC's loop optimizer has to be initialised.
std::vector<waiting_loop> find_waiting_loops(function* f);

}  // namespace splitter
