// gemm on a GPU: cuBLAS.
#include <cublas_v2.h>

#include <algorithm>
#include <mutex>

#include "runtime/cuda/cuda_queue.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/gemm_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void check_cublas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw error("gemm on the GPU", std::string("cuBLAS says: ") + cublasGetStatusString(status),
              "GRIDSTRIDE_TARGET=engine runs the same program on the CPU");
}

cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t first, cublasOperation_t second, int64_t rows,
                        int64_t columns, int64_t inner, const float* alpha, const float* a, int64_t a_width,
                        const float* b, int64_t b_width, const float* beta, float* c, int64_t c_width) {
  return cublasSgemm_64(handle, first, second, rows, columns, inner, alpha, a, a_width, b, b_width, beta, c, c_width);
}
cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t first, cublasOperation_t second, int64_t rows,
                        int64_t columns, int64_t inner, const double* alpha, const double* a, int64_t a_width,
                        const double* b, int64_t b_width, const double* beta, double* c, int64_t c_width) {
  return cublasDgemm_64(handle, first, second, rows, columns, inner, alpha, a, a_width, b, b_width, beta, c, c_width);
}

// cuBLAS counts by columns: to it our row-major arrays are the transposed matrices, and C^T = B^T A^T.
template <class T>
void queue_product(queue& device_queue, const gemm_call<T>& g) {
  static std::mutex mutex;
  static const cublasHandle_t handle = [] {
    cublasHandle_t created = nullptr;
    check_cublas(cublasCreate(&created));
    return created;
  }();
  const auto operation = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const auto width = [](std::size_t columns) { return static_cast<int64_t>(std::max<std::size_t>(columns, 1)); };
  std::lock_guard lock(mutex);
  check_cublas(cublasSetStream(handle, static_cast<cuda_queue&>(device_queue).handle()));
  check_cublas(multiply(handle, operation(g.transpose_b), operation(g.transpose_a), static_cast<int64_t>(g.n),
                        static_cast<int64_t>(g.m), static_cast<int64_t>(g.k), &g.alpha, g.b, width(g.b_width), g.a,
                        width(g.a_width), &g.beta, g.c, width(g.c_width)));
}

const device_library<gemm_call<float>> float32_product(device_kind::cuda, &queue_product<float>);
const device_library<gemm_call<double>> float64_product(device_kind::cuda, &queue_product<double>);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
