#include "workbook/typed_number.h"

#include <charconv>
#include <cmath>
#include <string>

namespace workbook {

std::optional<long double> typed_number(std::string_view text) {
  std::string plain;
  for (char c : text)
    if (c != '_' && c != ',') plain += c;
  long double factor = 1;
  if (!plain.empty()) {
    switch (plain.back()) {
      case 'k':
      case 'K':
        factor = 1e3L;
        break;
      case 'M':
        factor = 1e6L;
        break;
      case 'G':
        factor = 1e9L;
        break;
      default:
        break;
    }
    if (factor > 1) plain.pop_back();
  }
  if (!plain.empty() && plain.front() == '+') plain.erase(0, 1);
  long double value = 0;
  const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (plain.empty() || read.ec != std::errc{} || read.ptr != plain.data() + plain.size() || !std::isfinite(value))
    return {};
  return value * factor;
}

}  // namespace workbook
