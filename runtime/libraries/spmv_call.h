#pragma once
// A checked product of a sparse matrix and a vector, as the devices take it.

#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// y = alpha A x + beta y, with `stored` elements in A. Nothing overlaps.
template <class T>
struct spmv_call {
  std::size_t rows, columns, stored;
  T alpha, beta;
  const int *starts, *column_of;
  const T *values, *x;
  T* y;

  static std::string_view name() { return "spmv"; }
  bool empty() const { return rows == 0; }
};

void run_on_engine(const spmv_call<float>& call);
void run_on_engine(const spmv_call<double>& call);

}  // namespace gs::inline GS_FLAVOUR::detail
