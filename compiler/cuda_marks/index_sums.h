#pragma once
// index_sums: sums of a CUDA thread's numbers as the compiler can follow them.

#include "compiler/gcc.h"

namespace cuda_marks {

/// `int i = blockIdx.x * blockDim.x + threadIdx.x` is a sum of unsigned numbers, which may wrap around, converted; so
/// is `in[row * n + k + threadIdx.x]`. So g++ doesn't know that neighbouring threads have neighbouring elements. Here
/// the numbers are converted first, then added: a sum of signed or wider numbers doesn't wrap. `begin` is the thread's
/// beginning, whose numbers are meant. Nothing changes
/// - for a sum of the thread's numbers and small constants, converted to 64 bits, below 2^32, as a launch's limits
///   promise (dialect/language/launch.cpp);
/// - for one converted to int, as long as it doesn't cross 2^31;
/// - for the offset of an element, a sum that holds other numbers as well, as long as no row of threads lies across
///   element 2^32 of an array, or 2^31 by an int. There the thread's coordinates in its block are added last.
void convert_before_adding(function* f, gimple* begin);

}  // namespace cuda_marks
