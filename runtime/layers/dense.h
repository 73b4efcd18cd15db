#pragma once
// gs::dense: a dense layer, x w + b.

#include <source_location>
#include <tuple>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/grad/tape.h"
#include "runtime/layers/layer_errors.h"
#include "runtime/libraries/gemm.h"
#include "runtime/numpy/numpy.h"

namespace gs::inline GS_FLAVOUR {

/// x w + b for inputs x (batch, inputs), weights w (inputs, outputs) and biases b (outputs,): an array of shape (batch,
/// outputs). All are float or all double. Throws gs::error for other shapes.
template <class T>
device_array<T> dense(const device_array<T>& x, const device_array<T>& w, const device_array<T>& b) {
  detail::check_dense(x.shape(), w.shape(), b.shape());
  device_array<T> y = gemm(x, w);
  add(y, b, out(y));
  return y;
}

/// The gradients by x, w and b from that of the result, (batch, outputs).
template <class T>
std::tuple<device_array<T>, device_array<T>, device_array<T>> dense_adjoint(const device_array<T>& gradient,
                                                                            const device_array<T>& x,
                                                                            const device_array<T>& w) {
  detail::check_layer_gradient("a dense layer", gradient.shape(), shape({x.extent(0), w.extent(1)}));
  return {gemm(gradient, w, {.transpose_b = true}), gemm(x, gradient, {.transpose_a = true}), sum(gradient, axis(0))};
}

/// The same, recorded. The inputs are a variable, or an array that is a constant and gets no gradient.
template <class X, class T>
variable<T> dense(tape& recorder, const X& x, const variable<T>& w, const variable<T>& b,
                  const std::source_location& place = std::source_location::current()) {
  detail::check_dense(x.shape(), w.shape(), b.shape());
  return recorder.record<scalar_functions::add{}>(place, recorder.gemm(x, w, place), b);
}

}  // namespace gs::inline GS_FLAVOUR
