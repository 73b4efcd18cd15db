#pragma once
// gs::gemm: the product of two matrices on the device, by OpenBLAS on the engine and by cuBLAS on a GPU.

#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/refuse_beta.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

/// How a product is computed: `gs::gemm(a, b, gs::out(c), {.beta = 1, .stream = s})`.
template <class T>
struct gemm_options {
  T alpha = 1;                        ///< scales the product
  T beta = 0;                         ///< scales the output's old elements; at 0 they aren't read
  bool transpose_a = false;           ///< A^T instead of A: the array's shape is then (k, m)
  bool transpose_b = false;           ///< B^T instead of B: the array's shape is then (n, k)
  detail::stream_choice stream = {};  ///< on which it is queued
};

namespace detail {

// The requirements on all arrays of a product.
template <class A, class... More>
struct gemm_arrays {
  static_assert((any_device_array<A> && ... && any_device_array<More>),
                "gemm takes device arrays: copy the host arrays with gs::to_device");
  static_assert(std::is_same_v<element_t<A>, float> || std::is_same_v<element_t<A>, double>,
                "gemm takes arrays of float or of double");
  static_assert((std::is_same_v<element_t<A>, element_t<More>> && ...),
                "gemm: the arrays hold different types of element, and values are never converted");
};

/// The shape (m, n) of A B. Throws gs::error unless both have rank 2 and the inner extents agree.
shape gemm_shape(const shape& a, const shape& b, bool transpose_a, bool transpose_b);

template <class T>
void queue_gemm(const device_array<T>& a, const device_array<T>& b, const device_array<T>& c,
                const gemm_options<T>& options);
extern template void queue_gemm(const device_array<float>&, const device_array<float>&, const device_array<float>&,
                                const gemm_options<float>&);
extern template void queue_gemm(const device_array<double>&, const device_array<double>&, const device_array<double>&,
                                const gemm_options<double>&);

}  // namespace detail

/// C = alpha A B + beta C for row-major matrices A (m, k), B (k, n) and C (m, n), all float or all double. Queued on
/// the stream; returns at once. With k = 0 the product is all zeros. The order of the additions is the library's, so
/// the last bits may differ between devices and numbers of cores. Throws gs::error for other ranks or shapes, for
/// extents over 2^31 - 1, and if C shares memory with A or B.
template <class A, class B, class C>
void gemm(const A& a, const B& b, const detail::output<C>& c, const gemm_options<detail::element_t<A>>& options = {}) {
  [[maybe_unused]] const detail::gemm_arrays<A, B, C> checked;
  static_assert(!std::is_const_v<C>, "gemm: the output is constant");
  c.array.memory()->note_write();
  detail::queue_gemm(a, b, c.array, options);
}

/// alpha A B as a new array.
template <class A, class B>
auto gemm(const A& a, const B& b, const gemm_options<detail::element_t<A>>& options = {}) {
  [[maybe_unused]] const detail::gemm_arrays<A, B> checked;
  if (options.beta != 0) detail::refuse_beta_without_output("gemm", static_cast<double>(options.beta), "c");
  a.memory(), b.memory();
  device_array<detail::element_t<A>> c(
      detail::gemm_shape(a.shape(), b.shape(), options.transpose_a, options.transpose_b));
  detail::queue_gemm(a, b, c, options);
  return c;
}

}  // namespace gs::inline GS_FLAVOUR
