#pragma once
// The profiler of a GPU isn't there: both do nothing.
#include "dialect/cuda_language.h"

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
