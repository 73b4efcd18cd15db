// cuBLAS: vectors, matrices by columns, products in batches, streams, scalars on either side.
#include <cublas_v2.h>

#include "check.cuh"

#define CHECK_CUBLAS(call)                                                                    \
  do {                                                                                        \
    const cublasStatus_t status = (call);                                                     \
    if (status != CUBLAS_STATUS_SUCCESS) {                                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(status)); \
      std::exit(100);                                                                         \
    }                                                                                         \
  } while (0)

std::vector<float> numbers(std::size_t n, int seed) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = (float)((seed + 7 * (int)i) % 11 - 5) / 4;
  return x;
}
template <class T>
std::vector<T> as(const std::vector<float>& x) {
  return {x.begin(), x.end()};
}

void vectors(cublasHandle_t blas, int n) {
  const std::vector<float> x = numbers(2 * n, 3), y = numbers(n, 1);
  device_vector_of<float> dx(x), dy(y);
  const float alpha = 0.5f;
  CHECK_CUBLAS(cublasSaxpy(blas, n, &alpha, dx.data, 2, dy.data, 1));
  std::vector<float> sum = y;
  double dot = 0, squares = 0, magnitudes = 0;
  int largest = n > 0 ? 1 : 0;
  for (int i = 0; i < n; ++i) {
    sum[i] += alpha * x[2 * i];
    dot += (double)x[2 * i] * sum[i], squares += (double)x[2 * i] * x[2 * i], magnitudes += std::fabs(x[2 * i]);
    if (std::fabs(x[2 * i]) > std::fabs(x[2 * (largest - 1)])) largest = i + 1;
  }
  expect(dy.host() == sum, "axpy");
  float result = -1;
  CHECK_CUBLAS(cublasSdot(blas, n, dx.data, 2, dy.data, 1, &result));
  expect_near(result, dot, 1e-5, "dot");
  CHECK_CUBLAS(cublasSnrm2(blas, n, dx.data, 2, &result));
  expect_near(result, std::sqrt(squares), 1e-5, "nrm2");
  CHECK_CUBLAS(cublasSasum(blas, n, dx.data, 2, &result));
  expect_near(result, magnitudes, 1e-5, "asum");
  int index = -1;
  CHECK_CUBLAS(cublasIsamax(blas, n, dx.data, 2, &index));
  expect_equal(index, largest, "iamax");
  CHECK_CUBLAS(cublasSscal(blas, n, &alpha, dy.data, 1));
  CHECK_CUBLAS(cublasSswap(blas, n, dx.data, 1, dy.data, 1));
  device_vector_of<float> copy(n);
  CHECK_CUBLAS(cublasScopy(blas, n, dx.data, 1, copy.data, 1));
  for (float& s : sum) s *= alpha;
  expect(copy.host() == sum, "scal, swap and copy");
  expect(dy.host() == std::vector<float>(x.begin(), x.begin() + n), "swap");
}

template <class T>
cublasStatus_t multiply(cublasHandle_t h, cublasOperation_t a, cublasOperation_t b, int m, int n, int k, const T* alpha,
                        const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {
  if constexpr (sizeof(T) == 4)
    return cublasSgemm(h, a, b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
  else
    return cublasDgemm(h, a, b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

// C of 2 more rows than the product, which have to stay what they are.
template <class T>
void product(cublasHandle_t blas, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k) {
  const int rows_a = of_a == CUBLAS_OP_N ? m : k, rows_b = of_b == CUBLAS_OP_N ? k : n, ldc = m + 2;
  const int lda = rows_a + 1, ldb = rows_b + 3;
  const std::vector<T> a = as<T>(numbers((std::size_t)lda * (rows_a == m ? k : m), 2)),
                       b = as<T>(numbers((std::size_t)ldb * (rows_b == k ? n : k), 5)),
                       c = as<T>(numbers((std::size_t)ldc * n, 4));
  device_vector_of<T> da(a.empty() ? std::vector<T>(1) : a), db(b.empty() ? std::vector<T>(1) : b),
      dc(c.empty() ? std::vector<T>(1) : c);
  const T alpha = 2, beta = -1;
  CHECK_CUBLAS(multiply(blas, of_a, of_b, m, n, k, &alpha, da.data, lda, db.data, ldb, &beta, dc.data, ldc));
  const std::vector<T> got = dc.host();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < ldc; ++i) {
      double sum = 0;
      for (int l = 0; l < k && i < m; ++l)
        sum += (double)(of_a == CUBLAS_OP_N ? a[i + l * lda] : a[l + i * lda]) *
               (of_b == CUBLAS_OP_N ? b[l + j * ldb] : b[j + l * ldb]);
      const double old = c[i + j * ldc];
      expect_near(got[i + j * ldc], i < m ? 2 * sum - old : old, 1e-4, "gemm");
    }
}

void matrix_times_vector(cublasHandle_t blas) {
  const int m = 33, n = 7, lda = 40;
  const std::vector<float> a = numbers(lda * n, 1), x = numbers(m + n, 2), y = numbers(m + n, 3);
  device_vector_of<float> da(a), dx(x), dy(y);
  const float alpha = 1.5f, beta = 2;
  CHECK_CUBLAS(cublasSgemv(blas, CUBLAS_OP_N, m, n, &alpha, da.data, lda, dx.data, 1, &beta, dy.data, 1));
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += (double)a[i + j * lda] * x[j];
    expect_near(dy.host()[i], 1.5 * sum + 2 * y[i], 1e-5, "gemv");
  }
  const std::vector<float> before = dy.host();
  CHECK_CUBLAS(cublasSgemv(blas, CUBLAS_OP_T, m, n, &alpha, da.data, lda, dx.data, 1, &beta, dy.data, 2));
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += (double)a[i + j * lda] * x[i];
    expect_near(dy.host()[2 * j], 1.5 * sum + 2 * before[2 * j], 1e-5, "gemv, transposed");
  }
  CHECK_CUBLAS(cublasSger(blas, m, n, &alpha, dx.data, 1, dx.data + m, 1, da.data, lda));
  const std::vector<float> outer = da.host();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < lda; ++i)
      expect_near(outer[i + j * lda], a[i + j * lda] + (i < m ? 1.5 * x[i] * x[m + j] : 0), 1e-5, "ger");
}

void batches(cublasHandle_t blas) {
  const int s = 5, count = 9;
  const std::vector<float> a = numbers(s * s * count, 6), b = numbers(s * s, 8);
  device_vector_of<float> da(a), db(b), dc(s * s * count);
  const float one = 1, zero = 0;
  CHECK_CUBLAS(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &one, da.data, s, s * s, db.data, s,
                                         0, &zero, dc.data, s, s * s, count));
  const std::vector<float> c = dc.host();
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < s * s; ++i) {
      double sum = 0;
      for (int l = 0; l < s; ++l) sum += (double)a[k * s * s + i % s + l * s] * b[i / s + l * s];
      expect_near(c[k * s * s + i], sum, 1e-5, "gemmStridedBatched");
    }
}

// alpha and the result lie on the device; a kernel on the same stream makes the one and reads the other.
__global__ void set_to(float* x, float value) { *x = value; }
void scalars_on_the_device(cublasHandle_t blas) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUBLAS(cublasSetStream(blas, stream));
  CHECK_CUBLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  device_vector_of<float> x(numbers(100, 1)), scalars(2);
  set_to<<<1, 1, 0, stream>>>(scalars.data, 3);
  CHECK_CUBLAS(cublasSscal(blas, 100, scalars.data, x.data, 1));
  CHECK_CUBLAS(cublasSasum(blas, 100, x.data, 1, scalars.data + 1));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  double sum = 0;
  for (float v : numbers(100, 1)) sum += 3 * std::fabs(v);
  expect_near(scalars.host()[1], sum, 1e-5, "scalars on the device");
  CHECK_CUBLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
  CHECK_CUBLAS(cublasSetStream(blas, 0));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void copies_of_parts() {
  const std::vector<float> a = numbers(12, 1);
  device_vector_of<float> d(20);
  CHECK_CUBLAS(cublasSetMatrix(3, 2, sizeof(float), a.data(), 6, d.data, 10));
  std::vector<float> back(8, -9);
  CHECK_CUBLAS(cublasGetMatrix(3, 2, sizeof(float), d.data, 10, back.data(), 4));
  expect(back == std::vector<float>{a[0], a[1], a[2], -9, a[6], a[7], a[8], -9}, "cublasSetMatrix and GetMatrix");
  CHECK_CUBLAS(cublasSetVector(4, sizeof(float), a.data(), 3, d.data, 2));
  CHECK_CUBLAS(cublasGetVector(4, sizeof(float), d.data, 2, back.data(), 1));
  expect(back[0] == a[0] && back[1] == a[3] && back[2] == a[6] && back[3] == a[9], "cublasSetVector and GetVector");
}

void wrong_calls(cublasHandle_t blas) {
  device_vector_of<float> x(16);
  const float one = 1;
  expect(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x.data, 3, x.data, 4, &one, x.data, 4) ==
             CUBLAS_STATUS_INVALID_VALUE,
         "a column of 4 elements, 3 elements apart");
}

int main() {
  cublasHandle_t blas;
  CHECK_CUBLAS(cublasCreate(&blas));
  for (int n : {0, 1, 31, 32, 33, 1009, 100000}) vectors(blas, n);
  for (cublasOperation_t of_a : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t of_b : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      product<float>(blas, of_a, of_b, 33, 17, 65);
      product<float>(blas, of_a, of_b, 1, 1, 31);
      product<double>(blas, of_a, of_b, 64, 1, 5);
      product<float>(blas, of_a, of_b, 7, 9, 0);
      product<float>(blas, of_a, of_b, 0, 9, 3);
    }
  matrix_times_vector(blas);
  batches(blas);
  scalars_on_the_device(blas);
  copies_of_parts();
  wrong_calls(blas);
  CHECK_CUBLAS(cublasDestroy(blas));
  return failures();
}
