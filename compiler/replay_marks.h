#pragma once
// replay_marks: the calls that tell which thread of a kernel in block style runs (runtime/threads/replay_marks.h).

#include "compiler/gcc.h"

namespace splitter {

/// Removes the marks from a function, unless it calls gridstride_replay_keeps_marks(). True if anything has changed.
bool remove_replay_marks(function* f);

}  // namespace splitter
