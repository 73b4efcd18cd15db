#pragma once
// threadIdx, blockIdx, blockDim, gridDim and warpSize. A source that calls something of its own so gets another name
// for it (dialect/rewrite/).

#include "dialect/language/thread_marks.h"
#include "dialect/language/vector_types.h"

namespace dialect {

/// The three numbers from `first` on, of thread_marks.h.
[[gnu::always_inline]] inline uint3 thread_numbers(unsigned first) {
  return {gridstride_cuda_index(first), gridstride_cuda_index(first + 1), gridstride_cuda_index(first + 2)};
}

}  // namespace dialect

#define threadIdx (::dialect::thread_numbers(0))
#define blockIdx (::dialect::thread_numbers(3))
#define blockDim (::dim3(::dialect::thread_numbers(6)))
#define gridDim (::dim3(::dialect::thread_numbers(9)))

constexpr int warpSize = 32;
