#pragma once
// walking_loops: the loop of a kernel that neighbouring threads can go through together, and whether they should.
//
// Threads run one after the other, each through its own loop. Where all go through it equally often, a tile of them may
// take its rounds together instead: nothing changes but the order of what different threads do, which no thread may
// rely on without a barrier. It pays where neighbouring threads access neighbouring elements, and the rounds of one
// thread don't. (P. Jääskeläinen et al., "pocl: A Performance-Portable OpenCL Implementation", Int. J. Parallel Prog.
// 43, 2015, "horizontal inner-loop parallelization".)

#include "compiler/kernel_body.h"

namespace splitter {

struct walking_loop {
  class loop* of = nullptr;           ///< null if there is none
  std::vector<gphi*> in_common;       ///< numbers of its header that are the same for all threads, such as its counter
  std::vector<gphi*> of_threads;      ///< and the others, such as a sum
  tree x = NULL_TREE, y = NULL_TREE;  ///< the thread's place in its block, in the body
};

/// Whether a value of a body is the same for all threads that come to the loop, and is computed from what is known
/// outside of the body, and from the numbers that its rounds have in common.
bool is_in_common(const kernel_body& body, const walking_loop& loop, tree value);

/// Finds such a loop in a body without barriers, and puts names of their own into the body for the thread's place. If
/// there are loops, `say` and `where` are what to say of the one that was found, or of the last one that was looked at.
walking_loop find_walking_loop(const kernel_body& body, std::string& say, location_t& where);

}  // namespace splitter
