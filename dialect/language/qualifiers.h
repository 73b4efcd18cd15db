#pragma once
// CUDA's words for functions and variables. One memory holds host code and device code alike, so most say nothing here.
// `__noinline__` is replaced by the rewriter (dialect/rewrite/): libstdc++ uses that name itself.

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define CUDART_CB
#define CUDARTAPI

// What sources ask for to know who compiles them. Not __CUDA_ARCH__: a function for host and device is compiled once.
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
// By which NVIDIA's helper_cuda.h knows that the runtime's types are there.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.14159265358979312
