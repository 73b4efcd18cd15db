#pragma once
// The error of a scalar function that divides an integer such that the processor stops
// (runtime/engine/division_fault.h).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

std::string number_text(double value);
std::string number_text(long long value);
std::string number_text(unsigned long long value);

/// An operand of a scalar function: "7", "0.5"; "..." if it isn't a number.
template <class T>
std::string operand_text(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return number_text(static_cast<double>(value));
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return number_text(static_cast<long long>(value));
  else if constexpr (std::is_integral_v<T>)
    return number_text(static_cast<unsigned long long>(value));
  else
    return "...";
}

/// Several operands: "7, 0".
template <class... T>
std::string operands_text(const T&... values) {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + operand_text(values)), ...);
  return text;
}

/// Throws gs::error: a call of `function` has made such a division, with these operands (empty: not known), for this
/// element of the result (in row-major order).
[[noreturn]] void refuse_division(std::string_view function, const std::string& operands = "",
                                  std::optional<std::size_t> element = std::nullopt);

}  // namespace gs::inline GS_FLAVOUR::detail
