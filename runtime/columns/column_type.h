#pragma once
// The types that columns of a table may have, and a column of any of them.

#include <concepts>
#include <cstdint>
#include <string>
#include <variant>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/dtype.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

template <class T, class... U>
concept one_of = (std::same_as<T, U> || ...);

}  // namespace detail

/// The types of a column's elements.
template <class T>
concept column_element = detail::one_of<T, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                        std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

namespace detail {

/// A device array of one of these types.
using any_column =
    std::variant<device_array<bool>, device_array<std::int8_t>, device_array<std::int16_t>, device_array<std::int32_t>,
                 device_array<std::int64_t>, device_array<std::uint8_t>, device_array<std::uint16_t>,
                 device_array<std::uint32_t>, device_array<std::uint64_t>, device_array<float>, device_array<double>>;

/// Calls f(column) with the array itself.
template <class F>
decltype(auto) with_column(const any_column& column, const F& f) {
  return std::visit(f, column);
}
/// The type of an array's elements.
template <class A>
using column_element_t = typename std::remove_cvref_t<A>::value_type;

inline std::string dtype_of(const any_column& column) {
  return with_column(column, []<class T>(const device_array<T>&) { return dtype_name<T>(); });
}
inline std::size_t rows_of(const any_column& column) {
  return with_column(column, [](const auto& array) { return array.size(); });
}
/// The same elements in the same memory.
inline any_column share(const any_column& column) {
  return with_column(column, [](const auto& array) -> any_column { return array.reshape(array.shape()); });
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
