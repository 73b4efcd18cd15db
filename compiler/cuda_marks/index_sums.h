#pragma once
// index_sums: sums of a CUDA thread's numbers as the compiler can follow them.

#include "compiler/gcc.h"

namespace cuda_marks {

/// `int i = blockIdx.x * blockDim.x + threadIdx.x` is a sum of unsigned numbers, which may wrap around, converted; so
/// is `in[row * n + k + threadIdx.x]`. So g++ doesn't know that neighbouring threads have neighbouring elements. Here
/// the numbers are converted and then added: a sum of signed or wider numbers doesn't wrap. `begin` is the thread's
/// beginning, whose numbers are meant. That changes nothing for sums to 64 bits below 2^32 of what a launch's limits
/// keep small (dialect/language/launch.cpp), nor for sums to int that don't cross 2^31. Where a sum holds other
/// numbers, the thread's coordinates in its block are added last, to an offset that may be as far below zero as they
/// reach. That changes nothing as long as a row of threads doesn't lie across element 2^32 of an array.
void convert_before_adding(function* f, gimple* begin);

}  // namespace cuda_marks
