// A sparse product on a GPU: cuSPARSE.
#include <cusparse.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "runtime/array/device_memory.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/spmv_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void check_cusparse(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw error("spmv on the GPU", std::string("cuSPARSE says: ") + cusparseGetErrorString(status),
              "GRIDSTRIDE_TARGET=engine runs the same program on the CPU");
}

// Descriptions of a matrix and of vectors: cuSPARSE keeps them on the host, for a call.
struct matrix_description {
  cusparseConstSpMatDescr_t handle = nullptr;
  ~matrix_description() { (void)cusparseDestroySpMat(handle); }
};
struct input_description {
  cusparseConstDnVecDescr_t handle = nullptr;
  ~input_description() { (void)cusparseDestroyDnVec(handle); }
};
struct output_description {
  cusparseDnVecDescr_t handle = nullptr;
  ~output_description() { (void)cusparseDestroyDnVec(handle); }
};

template <class T>
void queue_sparse_product(queue& device_queue, const spmv_call<T>& c) {
  static std::mutex mutex;
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t created = nullptr;
    check_cusparse(cusparseCreate(&created));
    return created;
  }();
  constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  const auto extent = [](std::size_t n) { return static_cast<int64_t>(n); };
  matrix_description a;
  input_description x;
  output_description y;
  check_cusparse(cusparseCreateConstCsr(&a.handle, extent(c.rows), extent(c.columns), extent(c.stored), c.starts,
                                        c.column_of, c.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                        CUSPARSE_INDEX_BASE_ZERO, type));
  check_cusparse(cusparseCreateConstDnVec(&x.handle, extent(c.columns), c.x, type));
  check_cusparse(cusparseCreateDnVec(&y.handle, extent(c.rows), c.y, type));

  std::lock_guard lock(mutex);
  check_cusparse(cusparseSetStream(handle, static_cast<cuda_queue&>(device_queue).handle()));
  std::size_t bytes = 0;
  check_cusparse(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &c.alpha, a.handle, x.handle,
                                         &c.beta, y.handle, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  const auto temporary = allocate_device_memory(std::max<std::size_t>(bytes, 1));
  check_cusparse(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &c.alpha, a.handle, x.handle, &c.beta, y.handle,
                              type, CUSPARSE_SPMV_ALG_DEFAULT, temporary->data()));
}

const device_library<spmv_call<float>> sparse_float32_product(device_kind::cuda, &queue_sparse_product<float>);
const device_library<spmv_call<double>> sparse_float64_product(device_kind::cuda, &queue_sparse_product<double>);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
