#pragma once
// Reading JSON that comes from a file, a channel or a stranger: within limits, and without numbers that change on the
// way.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/core/printable.h"

namespace workbook {

/// Limits of a document: far above any of ours, and far below what overflows a stack or a machine's memory.
struct json_limits {
  std::size_t bytes = std::size_t{64} << 20;
  int depth = 64;
  bool members_once = false;  ///< no object has two members of one name; otherwise the last one counts
};

/// Conversion of a document's values: as in nlohmann::json, but an integer must fit the type it is read as.
/// (Its own conversions wrap around, and are undefined for fractions beyond the range.)
template <class T, class = void>
struct exact_serializer : nlohmann::adl_serializer<T, void> {};
template <class T>
struct exact_serializer<T, std::enable_if_t<std::integral<T> && !std::same_as<T, bool>>> {
  template <class Json>
  static void to_json(Json& to, T from) {
    nlohmann::adl_serializer<T, void>::to_json(to, from);
  }
  template <class Json>
  static void from_json(const Json& from, T& to) {
    const auto fits = [&](auto v) { return std::in_range<T>(v); };
    const bool whole = from.is_number_unsigned()  ? fits(from.template get_ref<const std::uint64_t&>())
                       : from.is_number_integer() ? fits(from.template get_ref<const std::int64_t&>())
                                                  : false;
    if (!whole)
      throw nlohmann::detail::out_of_range::create(406,
                                                   "a number is no integer from " +
                                                       std::to_string(std::numeric_limits<T>::min()) + " to " +
                                                       std::to_string(std::numeric_limits<T>::max()),
                                                   &from);
    to = from.is_number_unsigned() ? static_cast<T>(from.template get_ref<const std::uint64_t&>())
                                   : static_cast<T>(from.template get_ref<const std::int64_t&>());
  }
};

/// A document's texts can be shown.
template <>
struct exact_serializer<std::string> : nlohmann::adl_serializer<std::string, void> {
  template <class Json>
  static void from_json(const Json& from, std::string& to) {
    nlohmann::adl_serializer<std::string, void>::from_json(from, to);
    to = gs::detail::printable(to);
  }
};

/// A document that was read. Its objects find a member in logarithmic time, however many there are.
using read_json_value = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                             double, std::allocator, exact_serializer>;

/// Parses a document, in time that grows as the text does. Throws gs::error that begins with `asked` and ends with
/// `advice` if it isn't JSON, or exceeds the limits.
read_json_value read_json(std::string_view text, const std::string& asked, const std::string& advice,
                          json_limits limits = {});

/// Throws gs::error as read_json() does if a text exceeds the limits. It doesn't check that the text is JSON.
void expect_json_within(json_limits limits, std::string_view text, const std::string& asked, const std::string& advice);

}  // namespace workbook
