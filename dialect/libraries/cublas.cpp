#include "dialect/libraries/cublas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "dialect/libraries/blas_functions.h"
#include "dialect/libraries/queued_call.h"
#include "dialect/runtime/memory.h"
#include "runtime/core/error.h"
#include "runtime/device/host_work.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/gemm_call.h"
#include "runtime/libraries/library_call.h"
#include "runtime/observe/observe.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

namespace dialect::cublas {
namespace {

cublasStatus_t refuse(cublasStatus_t status, const std::string& sentence) {
  print_refusal(cublasGetStatusName(status), sentence);
  return status;
}

// An array of a call, with its parameter's name; one without elements may lie nowhere.
struct operand {
  const char* name;
  const void* data;
  bool is_empty;
};

class call {
 public:
  call(cublasHandle_t handle, const char* name) : handle_(handle), name_(name) {
    if (!handle) refuse_with(CUBLAS_STATUS_NOT_INITIALIZED, "there is no handle; call cublasCreate() before");
  }

  call& size(const char* what, int n) {
    if (n < 0) refuse_value(fmt::format("{} is {}; sizes are at least 0", what, n));
    return *this;
  }
  call& step(const char* what, int n) {
    if (n == 0) refuse_value(fmt::format("{} is 0; elements are 1 or more apart", what));
    return *this;
  }
  call& leading(const char* what, int given, int rows) {
    if (given < std::max(rows, 1))
      refuse_value(fmt::format("{} is {}, and a column has {} elements; it is at least that, and at least 1", what,
                               given, rows));
    return *this;
  }
  call& array(const operand& a) {
    if (status_ != CUBLAS_STATUS_SUCCESS || a.is_empty || device_may_use(a.data)) return *this;
    refuse_value(a.data ? fmt::format("{} points to memory of the host, which a GPU can't reach; copy it to memory of "
                                      "cudaMalloc() and pass that",
                                      a.name)
                        : fmt::format("{} is a null pointer; pass memory of cudaMalloc()", a.name));
    return *this;
  }
  // alpha, beta or a result, where the handle says that they lie.
  call& scalar(const char* what, const void* pointer) {
    if (status_ != CUBLAS_STATUS_SUCCESS) return *this;
    if (!pointer) refuse_value(fmt::format("{} is a null pointer; pass the address of a number", what));
    const bool on_device = handle_->pointers == CUBLAS_POINTER_MODE_DEVICE;
    if (on_device && pointer && !device_may_use(pointer))
      refuse_value(
          fmt::format("{} points to memory of the host, and the pointer mode is that of the device; call "
                      "cublasSetPointerMode() with CUBLAS_POINTER_MODE_HOST",
                      what));
    return *this;
  }

  // Queues `work`, which gets the values of alpha and beta when it runs, as `read` does. A result that lies on the host
  // is waited for.
  template <class Work>
  cublasStatus_t queue(Work work, bool waits_on_host = false) {
    if (status_ != CUBLAS_STATUS_SUCCESS) return status_;
    const bool waits = waits_on_host && handle_->pointers == CUBLAS_POINTER_MODE_HOST;
    const cudaError_t code = queue_call(handle_->stream, name_, [work](gs::detail::spread_function) { work(); }, waits);
    return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
  }

  // The value of alpha or beta: now, or in memory of the device when the work runs.
  template <class T>
  auto value(const T* pointer) const {
    struct later {
      const T* from;
      T now;
      T operator()() const {
        if (!from) return now;
        gs::instruments::note_read(from, sizeof(T));
        return *from;
      }
    };
    if (status_ != CUBLAS_STATUS_SUCCESS) return later{nullptr, T{}};
    return handle_->pointers == CUBLAS_POINTER_MODE_DEVICE ? later{pointer, T{}} : later{nullptr, *pointer};
  }
  bool result_on_device() const { return handle_ && handle_->pointers == CUBLAS_POINTER_MODE_DEVICE; }

 private:
  void refuse_value(const std::string& why) { refuse_with(CUBLAS_STATUS_INVALID_VALUE, why); }
  void refuse_with(cublasStatus_t status, const std::string& why) {
    if (status_ == CUBLAS_STATUS_SUCCESS) status_ = refuse(status, fmt::format("{}: {}", name_, why));
  }

  cublasHandle_t handle_;
  const char* name_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

// What a call reads and writes of `count` elements that are `step` apart.
template <class T>
void note(void (*tell)(const void*, std::size_t), const T* first, int count, int step) {
  if (!gs::instruments::watching() || count <= 0) return;
  const auto distance = static_cast<std::ptrdiff_t>(std::abs(step));
  if (distance == 1) return tell(first, static_cast<std::size_t>(count) * sizeof(T));
  for (int i = 0; i < count; ++i) tell(first + i * distance, sizeof(T));
}
template <class T>
void note_read(const T* first, int count, int step = 1) {
  note(gs::instruments::note_read, first, count, step);
}
template <class T>
void note_written(const T* first, int count, int step = 1) {
  note(gs::instruments::note_written, first, count, step);
}
template <class T>
void note_matrix_read(const T* first, int rows, int columns, int lda) {
  for (int j = 0; j < columns; ++j) note_read(first + std::ptrdiff_t{j} * lda, rows);
}
template <class T>
void note_matrix_written(const T* first, int rows, int columns, int lda) {
  for (int j = 0; j < columns; ++j) note_written(first + std::ptrdiff_t{j} * lda, rows);
}

CBLAS_TRANSPOSE to_cblas(cublasOperation_t operation) { return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans; }

// A number of elements that work computes, and writes where the caller wants it.
template <class R>
void write_result(R* result, R value, bool on_device) {
  if (on_device) gs::instruments::note_written(result, sizeof(R));
  *result = value;
}

template <class T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x, int step_x, T* y,
                    int step_y) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).step("incy", step_y).scalar("alpha", alpha);
  c.array({"x", x, n == 0}).array({"y", y, n == 0});
  return c.queue([=, factor = c.value(alpha)] {
    note_read(x, n, step_x), note_read(y, n, step_y), note_written(y, n, step_y);
    blas<T>().axpy(n, factor(), x, step_x, y, step_y);
  });
}

template <class T>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const T* alpha, T* x, int step_x) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).scalar("alpha", alpha).array({"x", x, n == 0});
  return c.queue([=, factor = c.value(alpha)] {
    note_read(x, n, step_x), note_written(x, n, step_x);
    blas<T>().scal(n, factor(), x, step_x);
  });
}

template <class T>
cublasStatus_t copy(const char* name, cublasHandle_t handle, int n, const T* x, int step_x, T* y, int step_y) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).step("incy", step_y).array({"x", x, n == 0}).array({"y", y, n == 0});
  return c.queue([=] {
    note_read(x, n, step_x), note_written(y, n, step_y);
    blas<T>().copy(n, x, step_x, y, step_y);
  });
}

template <class T>
cublasStatus_t swap(const char* name, cublasHandle_t handle, int n, T* x, int step_x, T* y, int step_y) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).step("incy", step_y).array({"x", x, n == 0}).array({"y", y, n == 0});
  return c.queue([=] {
    note_read(x, n, step_x), note_read(y, n, step_y), note_written(x, n, step_x), note_written(y, n, step_y);
    blas<T>().swap(n, x, step_x, y, step_y);
  });
}

template <class T>
cublasStatus_t dot(const char* name, cublasHandle_t handle, int n, const T* x, int step_x, const T* y, int step_y,
                   T* result) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).step("incy", step_y).scalar("result", result);
  c.array({"x", x, n == 0}).array({"y", y, n == 0});
  return c.queue(
      [=, on_device = c.result_on_device()] {
        note_read(x, n, step_x), note_read(y, n, step_y);
        write_result(result, blas<T>().dot(n, x, step_x, y, step_y), on_device);
      },
      true);
}

// nrm2, asum and iamax: one number of one array.
template <class T, class R, class Function>
cublasStatus_t number_of(const char* name, cublasHandle_t handle, int n, const T* x, int step_x, R* result,
                         Function function) {
  call c(handle, name);
  c.size("n", n).step("incx", step_x).scalar("result", result).array({"x", x, n == 0});
  return c.queue(
      [=, on_device = c.result_on_device()] {
        note_read(x, n, step_x);
        write_result(result, static_cast<R>(function(n, x, step_x)), on_device);
      },
      true);
}

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t operation, int rows, int columns,
                    const T* alpha, const T* a, int lda, const T* x, int step_x, const T* beta, T* y, int step_y) {
  call c(handle, name);
  c.size("m", rows).size("n", columns).leading("lda", lda, rows).step("incx", step_x).step("incy", step_y);
  const bool turned = operation != CUBLAS_OP_N;
  const int of_x = turned ? rows : columns, of_y = turned ? columns : rows;
  c.scalar("alpha", alpha).scalar("beta", beta);
  c.array({"A", a, rows == 0 || columns == 0}).array({"x", x, of_x == 0}).array({"y", y, of_y == 0});
  return c.queue([=, by = c.value(alpha), old = c.value(beta)] {
    const T factor = by(), kept = old();
    note_matrix_read(a, rows, columns, lda), note_read(x, of_x, step_x);
    if (kept != T{0}) note_read(y, of_y, step_y);
    note_written(y, of_y, step_y);
    blas<T>().gemv(CblasColMajor, to_cblas(operation), rows, columns, factor, a, lda, x, step_x, kept, y, step_y);
  });
}

template <class T>
cublasStatus_t ger(const char* name, cublasHandle_t handle, int rows, int columns, const T* alpha, const T* x,
                   int step_x, const T* y, int step_y, T* a, int lda) {
  call c(handle, name);
  c.size("m", rows).size("n", columns).leading("lda", lda, rows).step("incx", step_x).step("incy", step_y);
  const bool none = rows == 0 || columns == 0;
  c.scalar("alpha", alpha).array({"x", x, none}).array({"y", y, none}).array({"A", a, none});
  return c.queue([=, by = c.value(alpha)] {
    note_read(x, rows, step_x), note_read(y, columns, step_y);
    note_matrix_read(a, rows, columns, lda), note_matrix_written(a, rows, columns, lda);
    blas<T>().ger(CblasColMajor, rows, columns, by(), x, step_x, y, step_y, a, lda);
  });
}

// To a library that counts by rows, matrices stored by columns are the transposed ones, and C^T = B^T A^T.
template <class T>
cublasStatus_t gemm(const char* name, cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m,
                    int n, int k, const T* alpha, const T* a, int lda, long long to_next_a, const T* b, int ldb,
                    long long to_next_b, const T* beta, T* c, int ldc, long long to_next_c, int count) {
  call asked(handle, name);
  const bool a_turned = of_a != CUBLAS_OP_N, b_turned = of_b != CUBLAS_OP_N;
  asked.size("m", m).size("n", n).size("k", k).size("batchCount", count);
  asked.leading("lda", lda, a_turned ? k : m).leading("ldb", ldb, b_turned ? n : k).leading("ldc", ldc, m);
  const bool none = m == 0 || n == 0 || count == 0;
  asked.scalar("alpha", alpha).scalar("beta", beta);
  asked.array({"A", a, none || k == 0}).array({"B", b, none || k == 0}).array({"C", c, none});
  const auto size = [](int i) { return static_cast<std::size_t>(std::max(i, 0)); };
  const gs::detail::gemm_call<T> first{.m = size(n),
                                       .n = size(m),
                                       .k = size(k),
                                       .alpha = {},
                                       .beta = {},
                                       .a = b,
                                       .b = a,
                                       .c = c,
                                       .a_width = size(ldb),
                                       .b_width = size(lda),
                                       .c_width = size(ldc),
                                       .transpose_a = b_turned,
                                       .transpose_b = a_turned};
  return asked.queue([=, by = asked.value(alpha), old = asked.value(beta)] {
    gs::detail::gemm_call<T> product = first;
    product.alpha = by(), product.beta = old();
    if (product.empty()) return;
    for (int i = 0; i < count; ++i) {
      run_on_engine(product);
      product.a += to_next_b, product.b += to_next_a, product.c += to_next_c;
    }
  });
}

// Elements of one side, `step` apart, to the other.
cublasStatus_t copy_elements(const char* name, std::size_t bytes, int rows, int columns, const void* from, int lda,
                             void* to, int ldb, cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes == 0 || lda < std::max(rows, 1) || ldb < std::max(rows, 1))
    return refuse(
        CUBLAS_STATUS_INVALID_VALUE,
        fmt::format("{}: {} x {} elements of {} bytes, columns {} and {} elements apart; columns are at least "
                    "as far apart as they have elements",
                    name, rows, columns, bytes, lda, ldb));
  const auto width = [&](int elements) { return static_cast<std::size_t>(elements) * bytes; };
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const cudaError_t code = cudaMemcpy2D(to, width(ldb), from, width(lda), width(rows), width(columns) / bytes, kind);
  return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace
}  // namespace dialect::cublas

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define GS_DIALECT_STATUS(name) \
  case name:                    \
    return #name;
    GS_DIALECT_STATUS(CUBLAS_STATUS_SUCCESS)
    GS_DIALECT_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    GS_DIALECT_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
    GS_DIALECT_STATUS(CUBLAS_STATUS_INVALID_VALUE)
    GS_DIALECT_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
    GS_DIALECT_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    GS_DIALECT_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
    GS_DIALECT_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    GS_DIALECT_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
#undef GS_DIALECT_STATUS
  }
  return "unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return dialect::cublas::refuse(CUBLAS_STATUS_NOT_INITIALIZED, "cublasCreate: handle is a null pointer");
  try {
    gs::detail::openblas();
  } catch (const gs::machine_error& lack) {
    return dialect::cublas::refuse(CUBLAS_STATUS_NOT_INITIALIZED, lack.what());
  }
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (!handle || !stream) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!handle || !mode) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->pointers;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (!handle || !version) return CUBLAS_STATUS_NOT_INITIALIZED;
  *version = 130000;
  return CUBLAS_STATUS_SUCCESS;
}

// A vector whose elements are `step` apart is a matrix of one row.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int step_x, void* y, int step_y) {
  return dialect::cublas::copy_elements("cublasSetVector", static_cast<std::size_t>(std::max(element_bytes, 0)), 1, n,
                                        x, step_x, y, step_y, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* x, int step_x, void* y, int step_y) {
  return dialect::cublas::copy_elements("cublasGetVector", static_cast<std::size_t>(std::max(element_bytes, 0)), 1, n,
                                        x, step_x, y, step_y, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* a, int lda, void* b, int ldb) {
  return dialect::cublas::copy_elements("cublasSetMatrix", static_cast<std::size_t>(std::max(element_bytes, 0)), rows,
                                        columns, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* a, int lda, void* b, int ldb) {
  return dialect::cublas::copy_elements("cublasGetMatrix", static_cast<std::size_t>(std::max(element_bytes, 0)), rows,
                                        columns, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}

#define GS_DIALECT_BLAS(S, i, T)                                                                                       \
  cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int sx, T* y, int sy) {          \
    return dialect::cublas::axpy("cublas" #S "axpy", h, n, alpha, x, sx, y, sy);                                       \
  }                                                                                                                    \
  cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T* alpha, T* x, int sx) {                              \
    return dialect::cublas::scal("cublas" #S "scal", h, n, alpha, x, sx);                                              \
  }                                                                                                                    \
  cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T* x, int sx, T* y, int sy) {                          \
    return dialect::cublas::copy("cublas" #S "copy", h, n, x, sx, y, sy);                                              \
  }                                                                                                                    \
  cublasStatus_t cublas##S##swap(cublasHandle_t h, int n, T* x, int sx, T* y, int sy) {                                \
    return dialect::cublas::swap("cublas" #S "swap", h, n, x, sx, y, sy);                                              \
  }                                                                                                                    \
  cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T* x, int sx, const T* y, int sy, T* result) {          \
    return dialect::cublas::dot("cublas" #S "dot", h, n, x, sx, y, sy, result);                                        \
  }                                                                                                                    \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T* x, int sx, T* result) {                             \
    return dialect::cublas::number_of("cublas" #S "nrm2", h, n, x, sx, result,                                         \
                                      [](auto... of) { return dialect::blas<T>().nrm2(of...); });                      \
  }                                                                                                                    \
  cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T* x, int sx, T* result) {                             \
    return dialect::cublas::number_of("cublas" #S "asum", h, n, x, sx, result,                                         \
                                      [](auto... of) { return dialect::blas<T>().asum(of...); });                      \
  }                                                                                                                    \
  cublasStatus_t cublasI##i##amax(cublasHandle_t h, int n, const T* x, int sx, int* result) {                          \
    return dialect::cublas::number_of("cublasI" #i "amax", h, n, x, sx, result, [](int count, auto... of) {            \
      return count > 0 ? dialect::blas<T>().iamax(count, of...) + 1 : 0;                                               \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t operation, int m, int n, const T* alpha,          \
                                 const T* a, int lda, const T* x, int sx, const T* beta, T* y, int sy) {               \
    return dialect::cublas::gemv("cublas" #S "gemv", h, operation, m, n, alpha, a, lda, x, sx, beta, y, sy);           \
  }                                                                                                                    \
  cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int sx, const T* y,        \
                                int sy, T* a, int lda) {                                                               \
    return dialect::cublas::ger("cublas" #S "ger", h, m, n, alpha, x, sx, y, sy, a, lda);                              \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemm(cublasHandle_t h, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,       \
                                 int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                                 int ldc) {                                                                            \
    return dialect::cublas::gemm("cublas" #S "gemm", h, of_a, of_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c,     \
                                 ldc, 0, 1);                                                                           \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t of_a, cublasOperation_t of_b,       \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,               \
                                               long long next_a, const T* b, int ldb, long long next_b, const T* beta, \
                                               T* c, int ldc, long long next_c, int count) {                           \
    return dialect::cublas::gemm("cublas" #S "gemmStridedBatched", h, of_a, of_b, m, n, k, alpha, a, lda, next_a, b,   \
                                 ldb, next_b, beta, c, ldc, next_c, count);                                            \
  }
GS_DIALECT_BLAS(S, s, float)
GS_DIALECT_BLAS(D, d, double)
#undef GS_DIALECT_BLAS
