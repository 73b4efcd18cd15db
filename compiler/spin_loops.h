#pragma once
// spin_loops: loops that end when another thread has changed what they read.

#include "compiler/gcc.h"

namespace splitter {

/// Finds the function's loops that read atomically, or what is volatile, and whose end isn't a matter of counting
/// alone. Before such a loop goes round again, it calls gridstride_spin_again (runtime/threads/spin_marks.h). Puts the
/// answer in the place of gridstride_spin_possible(): whether there is such a loop in the loops over the threads that
/// follow, or a call of what may have one. True if anything has changed.
bool find_spin_loops(function* f);

/// Whether the statement is such a call.
bool spins(const gimple* s);

}  // namespace splitter
