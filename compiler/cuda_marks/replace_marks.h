#pragma once
// replace_marks: the calls by which a CUDA kernel's code learns which thread runs it (dialect/language/thread_marks.h).

#include "compiler/gcc.h"

namespace cuda_marks {

/// Replaces what asks for a thread's numbers by the numbers themselves, where the beginning of the thread is in the
/// same function, and takes the beginning away where nothing else could ask for them. Whether there was any such call.
bool replace_cuda_marks(function* f);

}  // namespace cuda_marks
