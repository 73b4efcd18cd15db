#include "python/core/element_type.h"

#include <array>

#include "runtime/core/error.h"

namespace gridstride_python {
namespace {

struct known_type {
  std::string_view name;
  element_type type;
};
constexpr std::array known_types{
    known_type{"bool", {element_kind::boolean, 1}},          known_type{"int8", {element_kind::int8, 1}},
    known_type{"int16", {element_kind::int16, 2}},           known_type{"int32", {element_kind::int32, 4}},
    known_type{"int64", {element_kind::int64, 8}},           known_type{"uint8", {element_kind::uint8, 1}},
    known_type{"uint16", {element_kind::uint16, 2}},         known_type{"uint32", {element_kind::uint32, 4}},
    known_type{"uint64", {element_kind::uint64, 8}},         known_type{"float32", {element_kind::float32, 4}},
    known_type{"float64", {element_kind::float64, 8}},       known_type{"complex64", {element_kind::complex64, 8}},
    known_type{"complex128", {element_kind::complex128, 16}}};

element_type integer_type(bool is_signed, std::size_t bytes) {
  const element_kind smallest = is_signed ? element_kind::int8 : element_kind::uint8;
  const int doublings = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  return {static_cast<element_kind>(static_cast<int>(smallest) + doublings), bytes};
}

}  // namespace

std::string to_string(const element_type& type) {
  for (const known_type& known : known_types)
    if (known.type == type) return std::string(known.name);
  return "a record of " + std::to_string(type.bytes) + " bytes";
}

element_type type_of_name(std::string_view name, std::size_t bytes) {
  for (const known_type& known : known_types)
    if (known.name == name) return known.type;
  return {element_kind::record, bytes};
}

element_type type_of_format(std::string_view format, std::size_t bytes, const std::string& asked) {
  std::string_view letters = format;
  const bool swapped = !letters.empty() && (letters[0] == '>' || letters[0] == '!');
  if (!letters.empty() && std::string_view("@=<>!^|").find(letters[0]) != letters.npos) letters.remove_prefix(1);
  if (letters.starts_with("T{") || letters.ends_with("s") || letters.ends_with("x"))
    return {element_kind::record, bytes};
  if (letters.empty()) letters = "B";
  if (letters == "Zf" && !swapped) return {element_kind::complex64, 8};
  if (letters == "Zd" && !swapped) return {element_kind::complex128, 16};
  if (letters.size() == 1 && (!swapped || bytes == 1)) switch (letters[0]) {
      case '?':
        return {element_kind::boolean, 1};
      case 'f':
        return {element_kind::float32, 4};
      case 'd':
        return {element_kind::float64, 8};
      case 'b':
      case 'h':
      case 'i':
      case 'l':
      case 'q':
      case 'n':
        return integer_type(true, bytes);
      case 'B':
      case 'H':
      case 'I':
      case 'L':
      case 'Q':
      case 'N':
        return integer_type(false, bytes);
    }
  throw gs::error(
      asked, "an array holds elements of the format '" + std::string(format) + "'",
      "convert it to one of bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128");
}

}  // namespace gridstride_python
