#pragma once
// gs::fft and its relatives: discrete Fourier transforms on the device, by FFTW on the engine and by cuFFT on a GPU.
//
//   fft, ifft      complex to complex, along the last dimension of an array of rank 1 or 2: of each row
//   rfft, irfft    real to complex, of which the n / 2 + 1 numbers that aren't conjugates of others are kept; and back
//   fft2, ifft2, rfft2, irfft2    the same in two dimensions, for arrays of rank 2
//
// Names, signs and factors are NumPy's: forward is y[k] = sum over j of x[j] exp(-2 pi i j k / n), inverse is the
// conjugate sum divided by n (by the number of elements in two dimensions). The precision is that of the elements:
// float and std::complex<float>, or double and std::complex<double>. Every size is allowed but 0, primes too.
// Kernels that compute with the results build complex numbers from real() and imag(): nvcc compiles the operators and
// assignments of std::complex to nothing.
//
// All are queued on the stream and return at once. They throw gs::error for another rank, for an extent of 0 along a
// transformed dimension, for outputs of another shape, and for outputs that share memory with the input, except
// that fft, ifft, fft2 and ifft2 may write to the input itself.

#include <complex>
#include <cstddef>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

/// How a transform is computed: `gs::fft(x, {.stream = s})`.
struct fft_options {
  detail::stream_choice stream = {};  ///< on which it is queued
};

namespace detail {

/// What is transformed into what.
enum class fft_kind { forward, inverse, real_forward, real_inverse };

template <class T>
struct is_complex : std::false_type {};
template <>
struct is_complex<std::complex<float>> : std::true_type {};
template <>
struct is_complex<std::complex<double>> : std::true_type {};

// The element type of a transform's result. Its assertions check the input.
template <fft_kind Kind, class A>
struct fft_result {
  using T = element_t<A>;
  static_assert(any_device_array<A>, "an FFT takes a device array: copy the host array with gs::to_device");
  static_assert(Kind != fft_kind::real_forward || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "rfft takes real numbers, float or double: use fft for complex ones");
  static_assert(
      Kind == fft_kind::real_forward || is_complex<T>::value,
      "fft, ifft and irfft take complex numbers, std::complex<float> or std::complex<double>: use rfft for real "
      "ones");
  static auto value(T x) {
    if constexpr (Kind == fft_kind::real_forward)
      return std::complex<T>(x);
    else if constexpr (Kind == fft_kind::real_inverse)
      return x.real();
    else
      return x;
  }
  using type = decltype(value(T()));
};

/// The shape of the result of a transform over the last `dimensions` dimensions of an array; `columns` is the last
/// extent of the result of irfft and irfft2. Throws gs::error if there is none.
shape fft_shape(fft_kind kind, std::size_t dimensions, const shape& in, std::size_t columns);

template <class In, class Out>
void queue_fft(fft_kind kind, std::size_t dimensions, const device_array<In>& in, const device_array<Out>& out,
               const fft_options& options);

/// A transform into an output; all functions below call it.
template <fft_kind Kind, std::size_t Dimensions, class A, class O>
void fft_into(const A& x, const output<O>& out, const fft_options& options) {
  using R = typename fft_result<Kind, A>::type;
  static_assert(any_device_array<O>, "an FFT writes to a device array");
  static_assert(std::is_same_v<element_t<O>, R>, "the FFT's output holds another type of element than its result");
  static_assert(!std::is_const_v<O>, "the FFT's output is constant");
  queue_fft(Kind, Dimensions, x, out.array, options);
}
/// A transform into a new array.
template <fft_kind Kind, std::size_t Dimensions, class A>
auto fft_of(const A& x, std::size_t columns, const fft_options& options) {
  using R = typename fft_result<Kind, A>::type;
  x.memory();
  device_array<R> result(fft_shape(Kind, Dimensions, x.shape(), columns));
  queue_fft(Kind, Dimensions, x, result, options);
  return result;
}

}  // namespace detail

/// The transform of each row of a complex array.
///@{
template <class A>
auto fft(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::forward, 1>(x, 0, options);
}
template <class A, class O>
void fft(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::forward, 1>(x, out, options);
}
///@}

/// The inverse of fft.
///@{
template <class A>
auto ifft(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::inverse, 1>(x, 0, options);
}
template <class A, class O>
void ifft(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::inverse, 1>(x, out, options);
}
///@}

/// The transform of each row of a real array: n / 2 + 1 complex numbers for n real ones.
///@{
template <class A>
auto rfft(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::real_forward, 1>(x, 0, options);
}
template <class A, class O>
void rfft(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::real_forward, 1>(x, out, options);
}
///@}

/// The inverse of rfft: rows of `columns` real numbers. The number is needed, since 2 m - 2 and 2 m - 1 of them both
/// have a spectrum of m; an output has it in its shape. The input keeps its elements.
///@{
template <class A>
auto irfft(const A& x, std::size_t columns, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::real_inverse, 1>(x, columns, options);
}
template <class A, class O>
void irfft(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::real_inverse, 1>(x, out, options);
}
///@}

/// The transform of a complex array in both of its dimensions.
///@{
template <class A>
auto fft2(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::forward, 2>(x, 0, options);
}
template <class A, class O>
void fft2(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::forward, 2>(x, out, options);
}
///@}

/// The inverse of fft2.
///@{
template <class A>
auto ifft2(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::inverse, 2>(x, 0, options);
}
template <class A, class O>
void ifft2(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::inverse, 2>(x, out, options);
}
///@}

/// The transform of a real array (m, n) in both dimensions: (m, n / 2 + 1) complex numbers.
///@{
template <class A>
auto rfft2(const A& x, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::real_forward, 2>(x, 0, options);
}
template <class A, class O>
void rfft2(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::real_forward, 2>(x, out, options);
}
///@}

/// The inverse of rfft2, with rows of `columns` real numbers, as in irfft. The input keeps its elements.
///@{
template <class A>
auto irfft2(const A& x, std::size_t columns, const fft_options& options = {}) {
  return detail::fft_of<detail::fft_kind::real_inverse, 2>(x, columns, options);
}
template <class A, class O>
void irfft2(const A& x, const detail::output<O>& out, const fft_options& options = {}) {
  detail::fft_into<detail::fft_kind::real_inverse, 2>(x, out, options);
}
///@}

}  // namespace gs::inline GS_FLAVOUR
