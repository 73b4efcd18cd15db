#pragma once
// What the compiler knows of a function's parameters, as data.

#include <array>
#include <complex>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "python/binding/abi.h"
#include "runtime/array/fixed_array.h"
#include "runtime/core/signature.h"
#include "runtime/kernel/kernel_argument.h"
#include "runtime/kernel/kernel_signature.h"

namespace gridstride_python {

template <class T>
inline constexpr bool is_number = gs::scalar<T>;

template <class T>
struct is_constants : std::false_type {};
template <class T, std::size_t... Extents>
struct is_constants<gs::detail::fixed_array<T, Extents...>> : std::true_type {};

/// NumPy's name of an arithmetic or complex type.
template <class T>
constexpr std::string_view number_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, float>)
    return "float32";
  else if constexpr (std::is_same_v<T, double>)
    return "float64";
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return "complex64";
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return "complex128";
  else if constexpr (std::is_floating_point_v<T>)
    return "long double";
  else if constexpr (sizeof(T) == 1)
    return std::is_signed_v<T> ? "int8" : "uint8";
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? "int16" : "uint16";
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? "int32" : "uint32";
  else
    return std::is_signed_v<T> ? "int64" : "uint64";
}

/// The name of a number's type, or a struct's as the compiler writes it: "particle".
template <class T>
constexpr std::string_view type_name() {
  if constexpr (is_number<T>) {
    return number_name<T>();
  } else {
    const std::string_view text = __PRETTY_FUNCTION__;  // "... [with T = particle; std::string_view = ...]"
    const std::size_t start = text.find("T = ") + 4;
    return text.substr(start, text.find_first_of(";]", start) - start);
  }
}

template <class P>
constexpr parameter describe_parameter() {
  using T = std::remove_cvref_t<P>;
  if constexpr (gs::detail::is_view<T>::value) {
    using element = typename T::element_type;
    return {.kind = parameter_kind::view,
            .type = type_name<std::remove_const_t<element>>(),
            .bytes = sizeof(element),
            .rank = T::rank(),
            .is_constant = std::is_const_v<element>};
  } else if constexpr (is_constants<T>::value) {
    return {.kind = parameter_kind::constants,
            .type = type_name<typename T::value_type>(),
            .bytes = sizeof(T),
            .is_constant = true};
  } else {
    return {.kind = std::is_lvalue_reference_v<P> ? parameter_kind::reference
                    : is_number<T>                ? parameter_kind::number
                                                  : parameter_kind::record,
            .type = type_name<T>(),
            .bytes = sizeof(T),
            .is_constant = !std::is_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>};
  }
}

template <auto F>
using types_of = gs::detail::signature<F>;

/// The parameters of F from the number `First` on.
template <auto F, std::size_t First = 0>
inline constexpr auto parameters_of = []<std::size_t... K>(std::index_sequence<K...>) {
  return std::array<parameter, sizeof...(K)>{
      describe_parameter<std::tuple_element_t<First + K, typename types_of<F>::arguments>>()...};
}(std::make_index_sequence<types_of<F>::arity - First>{});

/// Whether F's first parameter makes it a kernel.
template <auto F>
constexpr bool is_kernel() {
  if constexpr (types_of<F>::arity == 0) {
    return false;
  } else {
    using first = std::remove_cvref_t<typename types_of<F>::template argument<0>>;
    return std::is_void_v<typename types_of<F>::result> &&
           (std::is_same_v<first, gs::thread> || gs::detail::is_block<first>::value);
  }
}

/// Whether F takes numbers by value and returns one.
template <auto F>
constexpr bool is_scalar_function() {
  if constexpr (std::is_void_v<typename types_of<F>::result> || types_of<F>::arity == 0)
    return false;
  else
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return is_number<typename types_of<F>::result> && !std::is_reference_v<typename types_of<F>::result> &&
             ((is_number<typename types_of<F>::template argument<K>> &&
               !std::is_reference_v<typename types_of<F>::template argument<K>>) &&
              ...);
    }(std::make_index_sequence<types_of<F>::arity>{});
}

}  // namespace gridstride_python
