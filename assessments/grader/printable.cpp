#include "assessments/grader/printable.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace grader {
namespace {

struct character {
  char32_t point = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

// RFC 3629: neither surrogates nor longer than need be.
character character_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  const unsigned char first = byte(0);
  const std::size_t bytes = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (bytes == 0 || i + bytes > text.size()) return {};
  char32_t point = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if (byte(k) >> 6 != 2) return {};
    point = point << 6 | (byte(k) & 0x3Fu);
  }
  if (point < smallest[bytes] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return {};
  return {point, bytes};
}

// Control characters, those that turn the direction of writing, and what XML 1.0 has no place for.
bool is_shown(char32_t c) {
  if (c < 0x20) return c == '\n' || c == '\t';
  const auto within = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  return !within(0x7F, 0x9F) && !within(0x200E, 0x200F) && !within(0x2028, 0x202E) && !within(0x2066, 0x2069) &&
         !within(0xFFFE, 0xFFFF);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const character c = character_at(text, i);
    if (c.bytes > 0 && is_shown(c.point))
      out += text.substr(i, c.bytes);
    else
      out += '?';
    i += c.bytes > 0 ? c.bytes : 1;
  }
  return out;
}

}  // namespace grader
