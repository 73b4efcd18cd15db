#pragma once
// Names of element types, as NumPy writes them: float32, int64, complex64, ...

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The NumPy name of an arithmetic or complex type; for any other trivially copyable type its size, "struct of 12
/// bytes".
template <class T>
std::string dtype_name() {
  using U = std::remove_cv_t<T>;
  constexpr auto bits = sizeof(U) * 8;
  if constexpr (std::is_same_v<U, bool>)
    return "bool";
  else if constexpr (std::is_floating_point_v<U>)
    return "float" + std::to_string(bits);
  else if constexpr (std::is_integral_v<U>)
    return (std::is_signed_v<U> ? "int" : "uint") + std::to_string(bits);
  else if constexpr (std::is_same_v<U, std::complex<float>> || std::is_same_v<U, std::complex<double>>)
    return "complex" + std::to_string(bits);
  else
    return "struct of " + std::to_string(sizeof(U)) + " bytes";
}

}  // namespace gs::inline GS_FLAVOUR::detail
