#pragma once
// cuBLAS's common calls, by OpenBLAS: cuBLAS Library User Guide. Matrices are stored by columns; sizes and distances
// count elements. What isn't here isn't found when a source compiles.

#include "dialect/runtime/streams.h"

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2 };
using cublasHandle_t = struct cublasContext*;

const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
/// Where alpha, beta and the results of dot, nrm2, asum and iamax lie: by default in memory of the host.
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// The engine computes in the precision of the elements, whatever the mode.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);

/// Copies between memory of the host and of the device.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int step_x, void* y, int step_y);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* x, int step_x, void* y, int step_y);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* a, int lda, void* b, int ldb);

#define GS_DIALECT_BLAS(S, i, T)                                                                                       \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int step_x, T* y,           \
                                 int step_y);                                                                          \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step_x);                      \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int step_x, T* y, int step_y);              \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int step_x, T* y, int step_y);                    \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int step_x, const T* y, int step_y,          \
                                T* result);                                                                            \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int step_x, T* result);                     \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int step_x, T* result);                     \
  /** The index of the element of largest magnitude, from 1; 0 if there is none. */                                    \
  cublasStatus_t cublasI##i##amax(cublasHandle_t handle, int n, const T* x, int step_x, int* result);                  \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t operation, int rows, int columns,            \
                                 const T* alpha, const T* a, int lda, const T* x, int step_x, const T* beta, T* y,     \
                                 int step_y);                                                                          \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int rows, int columns, const T* alpha, const T* x, int step_x,  \
                                const T* y, int step_y, T* a, int lda);                                                \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,  \
                                 int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                                 int ldc);                                                                             \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b,  \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,               \
                                               long long to_next_a, const T* b, int ldb, long long to_next_b,          \
                                               const T* beta, T* c, int ldc, long long to_next_c, int count);
GS_DIALECT_BLAS(S, s, float)
GS_DIALECT_BLAS(D, d, double)
#undef GS_DIALECT_BLAS
