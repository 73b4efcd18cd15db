#pragma once
// spin_loops: loops that end when another thread has changed what they read.

#include "compiler/gcc.h"

namespace splitter {

/// Finds the function's loops that read atomically, or what is volatile, and whose end isn't a matter of counting
/// alone. Before such a loop goes round again, it calls gridstride_spin_again (runtime/threads/spin_marks.h). Replaces
/// gridstride_spin_possible() by its answer: whether the loops over the threads that follow contain such a loop, or
/// call a function that may contain one. True if anything has changed.
bool find_spin_loops(function* f);

/// Whether the statement is such a call.
bool spins(const gimple* s);

}  // namespace splitter
