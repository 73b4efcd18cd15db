#pragma once
// A checked product of matrices, as the libraries take it.

#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// C (m, n) = alpha A B + beta C, row-major. `a` has rows of `a_width` elements, of A or of its transpose; so have `b`
/// and `c`, which is never transposed.
template <class T>
struct gemm_call {
  std::size_t m, n, k;
  T alpha, beta;
  const T *a, *b;
  T* c;
  std::size_t a_width, b_width, c_width;
  bool transpose_a, transpose_b;

  static std::string_view name() { return "gemm"; }
  bool empty() const { return m == 0 || n == 0; }
};

void run_on_engine(const gemm_call<float>& call);
void run_on_engine(const gemm_call<double>& call);

}  // namespace gs::inline GS_FLAVOUR::detail
