#pragma once
// A kernel that does nothing: a launch of it costs what any launch costs.

#include "runtime/gs.h"

namespace bench {

GS_FN inline void empty_kernel(gs::thread) {}

}  // namespace bench
