#include "assessments/grader/certificate/canonical_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "workbook/json/read_json.h"

namespace grader {
namespace {

constexpr int deepest = 16;

[[noreturn]] void refuse_number(const std::string& found) {
  throw gs::error("a document to sign", found, "such a number has no canonical form");
}

// ECMA-262, Number::toString: the shortest digits that give the same double, with an exponent only for the very small
// and the very large.
std::string number_text(double v) {
  if (!std::isfinite(v)) refuse_number("a number is not finite");
  if (v == 0) return "0";
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(v), std::chars_format::scientific);
  const std::string_view written(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = written.find('e');
  std::string digits(written.substr(0, 1));
  if (e > 1) digits += written.substr(2, e - 2);
  const int point = std::stoi(std::string(written.substr(e + 1))) + 1;  // where it stands, counted in digits
  const int count = static_cast<int>(digits.size());
  std::string text;
  if (count <= point && point <= 21) {
    text = digits + std::string(static_cast<std::size_t>(point - count), '0');
  } else if (0 < point && point <= 21) {
    text = digits.insert(static_cast<std::size_t>(point), ".");
  } else if (-6 < point && point <= 0) {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else {
    const int exponent = point - 1;
    if (count > 1) digits.insert(1, ".");
    text = digits + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
  }
  return v < 0 ? "-" + text : text;
}

std::string integer_text(const nlohmann::json& value) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                               : value.get<std::int64_t>() >= -most;
  if (!fits) refuse_number("the integer " + value.dump() + " is beyond 2^53");
  return value.dump();
}

std::string string_text(const std::string& text) {
  try {
    return nlohmann::json(text).dump();  // its escapes are RFC 8785's
  } catch (const nlohmann::json::exception&) {
    throw gs::error("a document to sign", "a text is not UTF-8", "write it in UTF-8");
  }
}

void append(std::string& out, const nlohmann::json& value) {
  if (value.is_object()) {
    out += '{';
    for (const char* comma = ""; const auto& [name, member] : value.items()) {  // nlohmann::json sorts them
      out += comma + string_text(name) + ':';
      append(out, member);
      comma = ",";
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (const char* comma = ""; const nlohmann::json& element : value) {
      out += comma;
      append(out, element);
      comma = ",";
    }
    out += ']';
  } else if (value.is_string()) {
    out += string_text(value.get_ref<const std::string&>());
  } else if (value.is_number_integer()) {
    out += integer_text(value);
  } else if (value.is_number_float()) {
    out += number_text(value.get<double>());
  } else {
    out += value.dump();  // true, false, null
  }
}

}  // namespace

std::string canonical_json(const nlohmann::json& value) {
  std::string out;
  append(out, value);
  return out;
}

nlohmann::json read_json_strictly(std::string_view text, const std::string& asked) {
  const std::string advice = "give the file as Gridstride wrote it";
  workbook::expect_json_within({.depth = deepest, .members_once = true}, text, asked, advice);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    throw gs::error(asked, "it is not JSON (byte " + std::to_string(e.byte) + ")", advice);
  } catch (const nlohmann::json::exception&) {
    throw gs::error(asked, "it holds a number beyond the range of a double", advice);
  }
}

}  // namespace grader
