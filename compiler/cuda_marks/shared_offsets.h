#pragma once
// shared_offsets: where the __shared__ variables of a CUDA kernel lie is asked once for many blocks.

#include "compiler/gcc.h"

namespace cuda_marks {

/// A `__shared__` variable is at the memory of its block, and at an offset that is the same in all blocks, of which the
/// dialect keeps a record (dialect/language/shared_variables.h). As written, each thread asks for it, under a lock.
/// Here the calls go before the loops that they stand in, where no thread runs yet: such a variable has its room
/// whether or not anybody comes to its declaration, as nvcc has it. Needs dominators.
void ask_before_loops(function* f);

}  // namespace cuda_marks
