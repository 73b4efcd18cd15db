#pragma once
// thread_tiles: lets tiles of a block's threads go through a loop together.
//
// The loops over a block's threads go from tile to tile instead. What a thread does before the loop is done for all
// threads of a tile first; then each round of the loop for all of them, and then what comes after it:
//
//     for each thread: A; for each round: B; C      becomes      for each tile:
//                                                                    for each of its threads: A
//                                                                    for each round: for each of its threads: B
//                                                                    for each of its threads: C
//
// Between these, what a thread has computed is in arrays with a number for each thread of a tile. Where the tile is
// whole, its extents are constants, so that g++ makes vectors of its rows and keeps the arrays in registers. At the
// edges of a block, or where some threads don't come to the loop, the tile is what is left of it, if that is a
// rectangle; if it is not, its threads go through the loop one after the other.

#include "compiler/walking_loops.h"

namespace splitter {

/// What it takes to rewrite a loop.
struct thread_tiles {
  unsigned rows = 1;              ///< of a whole tile; where a block has a single row, tiles are as long as may be
  std::vector<unsigned> columns;  ///< of a whole tile: the first are for wide blocks, the last for narrow ones
  statements again;               ///< that a thread computes again between the parts, operands first
  statements again_in_common;     ///< that are computed again once for a tile
  std::vector<tree> kept;         ///< from before the loop: an array for each
};

/// Returns why it can't be done, else an empty text.
std::string plan_tiles(const kernel_body& body, const walking_loop& loop, thread_tiles& tiles);

void walk_in_tiles(function* f, kernel_body& body, const walking_loop& loop, const thread_tiles& tiles);

}  // namespace splitter
