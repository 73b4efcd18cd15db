// What exercise 06 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// How many heights are off by more than ten roundings to float32.
std::size_t wrong(const std::vector<float>& x, const std::vector<float>& y, float middle, float width) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = static_cast<double>(width), t = (static_cast<double>(x[i]) - static_cast<double>(middle)) / w;
    const double expected = 1 / (std::numbers::pi * w * (1 + t * t));
    count += !(std::abs(static_cast<double>(y[i]) / expected - 1) <= 10 * 0x1p-24);
  }
  return count;
}

bool line_of(std::size_t n, float middle, float width, workbook::report& report) {
  const std::string name = "spectral_line of " + std::to_string(n) + " elements";
  const gs::device_array<float> x = gs::normal<float>({n}, n + 1);
  const gs::ledger_scope scope;
  const gs::device_array<float> y = spectral_line(x, middle, width);
  const gs::ledger account = scope.account();
  if (!report.check_equal(name + ", size of the result", y.size(), n)) return false;
  if (!report.check_equal(name + ", wrong heights", wrong(x.copy_to_host(), y.copy_to_host(), middle, width), 0))
    return false;
  if (n == 0) return true;
  return report.check_equal(name + ", copies", account.copies_to_device + account.copies_to_host, 0) &&
         report.check_equal(name + ", launches", account.launches, 1) &&
         report.check_equal(name + ", arrays made", account.allocations, 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool begins_number(std::string_view code) {
  return is_digit(code[0]) || (code[0] == '.' && code.size() > 1 && is_digit(code[1]));
}

std::size_t length_of_number(std::string_view code) {
  const auto belongs = [&](std::size_t k) {
    const bool is_sign_of_exponent =
        (code[k] == '-' || code[k] == '+') && std::string_view("eEpP").find(code[k - 1]) != code.npos;
    return is_word(code[k]) || code[k] == '.' || code[k] == '\'' || is_sign_of_exponent;
  };
  std::size_t length = 1;
  while (length < code.size() && belongs(length)) ++length;
  return length;
}
bool is_double(std::string_view number) {
  const bool is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const bool is_real = number.find_first_of(is_hexadecimal ? ".pP" : ".eE") != number.npos;
  return is_real && number.back() != 'f' && number.back() != 'F';
}

// "pow(t, 2)", of code that begins with it, if an argument is an integer literal: then std::pow takes and gives
// doubles.
std::string_view power_of_doubles(std::string_view code) {
  std::size_t end = code.find('(');
  if (end == code.npos || code.substr(3, end - 3).find_first_not_of(" \n") != code.npos) return {};
  std::size_t depth = 1, argument = ++end;
  bool has_integer = false;
  for (; end < code.size() && depth > 0; ++end) {
    if (code[end] == '(') ++depth;
    if (code[end] == ')') --depth;
    if (depth > 1 || (depth == 1 && code[end] != ',')) continue;
    const std::string_view text = code.substr(argument, end - argument);
    has_integer |= text.find_first_of("0123456789") != text.npos && text.find_first_not_of("0123456789 -") == text.npos;
    argument = end + 1;
  }
  return has_integer ? code.substr(0, end) : std::string_view();
}

struct place_in_code {
  std::string text;
  std::size_t line;
};

// The first double in the code: its type's name, pi unless it is made a float, a number with a point or an exponent
// and without f, or a power by an integer. Comments don't count. (Not by std::regex, which takes seconds to compile,
// and the learner waits.)
std::optional<place_in_code> first_double(std::string_view code) {
  const std::string_view pi_as_float = "static_cast<float>(std::numbers::pi)";
  std::size_t line = 1;
  for (std::size_t at = 0, length = 1; at < code.size(); at += length) {
    const std::string_view rest = code.substr(at);
    const auto up_to = [&](std::string_view mark) { return std::min(rest.find(mark, 2), rest.size()); };
    length = 1;
    if (rest.starts_with("//")) {
      length = up_to("\n");
    } else if (rest.starts_with("/*")) {
      length = std::min(up_to("*/") + 2, rest.size());
    } else if (rest.starts_with(pi_as_float)) {
      length = pi_as_float.size();
    } else if (begins_number(rest)) {
      length = length_of_number(rest);
      if (is_double(rest.substr(0, length))) return place_in_code{std::string(rest.substr(0, length)), line};
    } else if (is_word(rest[0])) {
      while (length < rest.size() && is_word(rest[length])) ++length;
      const std::string_view name = rest.substr(0, length);
      const bool is_pi = name == "M_PI" || (name == "pi" && code.substr(0, at).ends_with("numbers::"));
      if (name == "double" || is_pi) return place_in_code{std::string(name), line};
      if (name == "pow")
        if (const std::string_view power = power_of_doubles(rest); !power.empty())
          return place_in_code{std::string(power), line};
    }
    line += static_cast<std::size_t>(std::ranges::count(rest.substr(0, length), '\n'));
  }
  return std::nullopt;
}

// Whether a constant is a double can't be told from every result, so the check reads the code.
void nothing_wider(workbook::report& report) {
  std::ifstream file(workbook::checked_file());
  const auto found = first_double(std::string(std::istreambuf_iterator<char>(file), {}));
  report.check_equal("float64 in the function",
                     found ? found->text + " in line " + std::to_string(found->line) : std::string("none"), "none");
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 6,
          .name = "gaussian_pdf",
          .task = "three passes over memory in one, computed in float32",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0})
              if (!line_of(n, 0.25f, 0.7f, report)) return;
            if (!line_of(1009, -3.5f, 11.3f, report)) return;
            nothing_wider(report);
          }};
}
