#pragma once
// Arrow's format strings: one letter for each type of a column.

#include <string>
#include <string_view>

#include "runtime/columns/column_type.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

inline constexpr const char* struct_format = "+s";
inline constexpr std::string_view valid_suffix = ".valid";  // of a column of flags

/// "f" for float. From the table of the specification, "Primitive types".
template <column_element T>
constexpr const char* arrow_format() {
  if constexpr (std::same_as<T, bool>) return "b";
  if constexpr (std::same_as<T, std::int8_t>) return "c";
  if constexpr (std::same_as<T, std::uint8_t>) return "C";
  if constexpr (std::same_as<T, std::int16_t>) return "s";
  if constexpr (std::same_as<T, std::uint16_t>) return "S";
  if constexpr (std::same_as<T, std::int32_t>) return "i";
  if constexpr (std::same_as<T, std::uint32_t>) return "I";
  if constexpr (std::same_as<T, std::int64_t>) return "l";
  if constexpr (std::same_as<T, std::uint64_t>) return "L";
  if constexpr (std::same_as<T, float>) return "f";
  if constexpr (std::same_as<T, double>) return "g";
}

/// Calls `f.template operator()<T>()` with the type of a format string; false if no column can have it.
template <class F>
bool with_arrow_type(std::string_view format, const F& f) {
  const auto tried = [&]<class T>() {
    if (format != arrow_format<T>()) return false;
    f.template operator()<T>();
    return true;
  };
  return tried.template operator()<bool>() || tried.template operator()<std::int8_t>() ||
         tried.template operator()<std::int16_t>() || tried.template operator()<std::int32_t>() ||
         tried.template operator()<std::int64_t>() || tried.template operator()<std::uint8_t>() ||
         tried.template operator()<std::uint16_t>() || tried.template operator()<std::uint32_t>() ||
         tried.template operator()<std::uint64_t>() || tried.template operator()<float>() ||
         tried.template operator()<double>();
}

/// Bit i of a bitmap, the lowest of each byte first.
inline bool bit_at(const void* bitmap, std::size_t i) {
  return (static_cast<const std::uint8_t*>(bitmap)[i / 8] >> (i % 8) & 1) != 0;
}

}  // namespace gs::inline GS_FLAVOUR::detail
