#pragma once
// index_sums: sums of a CUDA thread's numbers as the compiler can follow them.

#include "compiler/gcc.h"

namespace cuda_marks {

/// `int i = blockIdx.x * blockDim.x + threadIdx.x` is a sum of unsigned numbers, which may wrap around, converted. So
/// g++ doesn't know that neighbouring threads have neighbouring elements. Here the numbers are converted and then
/// added: a sum of signed or wider numbers doesn't wrap. `begin` is the thread's beginning, whose numbers are meant. To
/// 64 bits that changes nothing for sums below 2^32, which a launch's limits promise (dialect/language/launch.cpp); to
/// int, for those that don't cross 2^31.
void convert_before_adding(function* f, gimple* begin);

}  // namespace cuda_marks
