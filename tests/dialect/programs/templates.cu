// Kernels and device functions that are templates: by type, by number, by function, specialised, with packs.
#include "check.cuh"

template <class T>
struct largest_of {
  static __device__ T pick(T a, T b) { return a > b ? a : b; }
};
template <>
struct largest_of<unsigned char> {
  static __device__ unsigned char pick(unsigned char, unsigned char) { return 7; }
};

template <class T, template <class> class Pick, int Width = 4>
__global__ void fold_rows(const T* x, T* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T folded = x[row * Width];
#pragma unroll
  for (int i = 1; i < Width; ++i) folded = Pick<T>::pick(folded, x[row * Width + i]);
  y[row] = folded;
}

template <unsigned N>
__device__ double power(double x) {
  if constexpr (N == 0)
    return 1;
  else
    return x * power<N - 1>(x);
}
template <unsigned... N>
__global__ void powers(double x, double* y) {
  const double all[] = {power<N>(x)...};
  if (threadIdx.x < sizeof...(N)) y[threadIdx.x] = all[threadIdx.x];
}

template <class T, class... Rest>
__device__ T sum(T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return first;
  else
    return first + sum(rest...);
}
template <class... T>
__global__ void add_all(double* result, T... values) {
  *result = sum(static_cast<double>(values)...);
}

template <class T>
void folds(int rows, T seven) {
  std::vector<T> x(rows * 4), expected(rows);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>((3 * i) % 11);
  for (int r = 0; r < rows; ++r) {
    expected[r] = x[4 * r];
    for (int i = 1; i < 4; ++i) expected[r] = x[4 * r + i] > expected[r] ? x[4 * r + i] : expected[r];
    if (seven) expected[r] = seven;
  }
  device_vector_of<T> dx(x), dy(rows);
  fold_rows<T, largest_of><<<rows / 64 + 1, 64>>>(dx.data, dy.data, rows);
  expect(dy.host() == expected, "a template of a type and a template");
}

int main() {
  for (const int rows : {0, 1, 33, 1009}) {
    folds<int>(rows, 0);
    folds<double>(rows, 0);
    folds<unsigned char>(rows, 7);
  }
  device_vector_of<double> y(4);
  powers<0, 1, 2, 5><<<1, 32>>>(3.0, y.data);
  expect(y.host() == std::vector<double>{1, 3, 9, 243}, "packs of numbers");
  add_all<<<1, 1>>>(y.data, 1, 2.5f, 4u, 'a');
  expect_equal(y.host()[0], 7.5 + 'a', "packs of types");
  return failures();
}
