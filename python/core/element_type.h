#pragma once
// Element types that are known at run time: NumPy's, as far as gs has them, and records of some bytes.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace gridstride_python {

enum class element_kind : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  complex64,
  complex128,
  record  ///< a struct, or a NumPy type with fields: known by its size alone
};

struct element_type {
  element_kind kind = element_kind::float64;
  std::size_t bytes = 8;
  friend bool operator==(const element_type&, const element_type&) = default;
};

/// NumPy's name, "float32"; "a record of 12 bytes".
std::string to_string(const element_type& type);

/// What a function's parameter is called by its module: "float32", or the name of a struct, which is a record of
/// `bytes`.
element_type type_of_name(std::string_view name, std::size_t bytes);

/// The type of a buffer's elements, by the letters of Python's struct module. Throws gs::error, beginning with `asked`,
/// for one that gs doesn't have.
element_type type_of_format(std::string_view format, std::size_t bytes, const std::string& asked);

/// Calls `visit(std::type_identity<T>())` with the type of C++; records are T = void.
template <class Visit>
auto with_type(element_kind kind, const Visit& visit) {
  switch (kind) {
    case element_kind::boolean:
      return visit(std::type_identity<bool>());
    case element_kind::int8:
      return visit(std::type_identity<std::int8_t>());
    case element_kind::int16:
      return visit(std::type_identity<std::int16_t>());
    case element_kind::int32:
      return visit(std::type_identity<std::int32_t>());
    case element_kind::int64:
      return visit(std::type_identity<std::int64_t>());
    case element_kind::uint8:
      return visit(std::type_identity<std::uint8_t>());
    case element_kind::uint16:
      return visit(std::type_identity<std::uint16_t>());
    case element_kind::uint32:
      return visit(std::type_identity<std::uint32_t>());
    case element_kind::uint64:
      return visit(std::type_identity<std::uint64_t>());
    case element_kind::float32:
      return visit(std::type_identity<float>());
    case element_kind::float64:
      return visit(std::type_identity<double>());
    case element_kind::complex64:
      return visit(std::type_identity<std::complex<float>>());
    case element_kind::complex128:
      return visit(std::type_identity<std::complex<double>>());
    case element_kind::record:
      break;
  }
  return visit(std::type_identity<void>());
}

}  // namespace gridstride_python
