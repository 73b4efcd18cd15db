#pragma once
// gs::csr_matrix and gs::spmv: a sparse matrix, and its product with a vector; our own loop over all cores on the
// engine, cuSPARSE on a GPU.

#include <cstddef>
#include <span>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/refuse_beta.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// Throws gs::error unless the three arrays are a matrix of that shape.
void check_csr(const shape& extents, std::span<const int> starts, std::span<const int> columns, std::size_t values);

}  // namespace detail

/// A sparse matrix on the current device, float or double, in compressed sparse rows: the elements that are stored,
/// row after row. Those of row r have numbers starts[r] to starts[r + 1] - 1; columns[k] is the column of number k and
/// values[k] its value. Everything else is 0. SciPy's `indptr`, `indices` and `data`.
/// Within a row the columns may come in any order; a column that comes twice counts twice.
template <class T>
class csr_matrix {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "csr_matrix holds elements of float or double");

 public:
  using value_type = T;  ///< the type of an element

  /// Copies a matrix of shape (rows, columns) to the device: three copies. `starts` has rows + 1 elements. Throws
  /// gs::error, with the first place that is wrong, for arrays that aren't a matrix of that shape.
  csr_matrix(const gs::shape& extents, std::span<const int> starts, std::span<const int> columns,
             std::span<const T> values)
      : extents_((detail::check_csr(extents, starts, columns, values.size()), extents)),
        starts_(to_device(starts)),
        columns_(to_device(columns)),
        values_(to_device(values)) {}

  const gs::shape& shape() const noexcept { return extents_; }            ///< (rows, columns)
  std::size_t stored() const noexcept { return columns_.size(); }         ///< how many elements are stored
  const device_array<int>& starts() const noexcept { return starts_; }    ///< rows + 1 of them
  const device_array<int>& columns() const noexcept { return columns_; }  ///< of each stored element
  const device_array<T>& values() const noexcept { return values_; }      ///< of each stored element

 private:
  gs::shape extents_;
  device_array<int> starts_, columns_;
  device_array<T> values_;
};

/// How a product is computed: `gs::spmv(a, x, gs::out(y), {.beta = 1, .stream = s})`.
template <class T>
struct spmv_options {
  T alpha = 1;                        ///< scales the product
  T beta = 0;                         ///< scales the output's old elements; at 0 they aren't read
  detail::stream_choice stream = {};  ///< on which it is queued
};

namespace detail {

template <class T>
void queue_spmv(const csr_matrix<T>& a, const device_array<T>& x, const device_array<T>& y,
                const spmv_options<T>& options);
extern template void queue_spmv(const csr_matrix<float>&, const device_array<float>&, const device_array<float>&,
                                const spmv_options<float>&);
extern template void queue_spmv(const csr_matrix<double>&, const device_array<double>&, const device_array<double>&,
                                const spmv_options<double>&);

template <class T, class X, class Y = device_array<T>>
constexpr void check_spmv_types() {
  static_assert(any_device_array<X> && any_device_array<Y>,
                "spmv takes device arrays: copy the host array with gs::to_device");
  static_assert(std::is_same_v<element_t<X>, T> && std::is_same_v<element_t<Y>, T>,
                "spmv: the matrix and the arrays hold different types of element, and values are never converted");
}

}  // namespace detail

/// y = alpha A x + beta y for a matrix A of shape (rows, columns), x of shape (columns,) and y of shape (rows,). Queued
/// on the stream; returns at once. The order of the additions within a row is the library's, so the last bits may
/// differ between devices. On the engine a row isn't shared out: rows go to the cores in pieces of about as many stored
/// elements (G. E. Blelloch, M. A. Heroux, M. Zagha, "Segmented operations for sparse matrix computation on vector
/// multiprocessors", 1993, says what an uneven matrix costs otherwise).
/// Throws gs::error for other shapes, and if y shares memory with x.
template <class T, class X, class Y>
void spmv(const csr_matrix<T>& a, const X& x, const detail::output<Y>& y, const spmv_options<T>& options = {}) {
  detail::check_spmv_types<T, X, std::remove_const_t<Y>>();
  static_assert(!std::is_const_v<Y>, "spmv: the output is constant");
  y.array.memory()->note_write();
  detail::queue_spmv(a, x, y.array, options);
}

/// alpha A x as a new array.
template <class T, class X>
auto spmv(const csr_matrix<T>& a, const X& x, const spmv_options<T>& options = {}) {
  detail::check_spmv_types<T, X>();
  if (options.beta != 0) detail::refuse_beta_without_output("spmv", static_cast<double>(options.beta), "y");
  device_array<T> y(a.shape()[0]);
  detail::queue_spmv(a, x, y, options);
  return y;
}

}  // namespace gs::inline GS_FLAVOUR
