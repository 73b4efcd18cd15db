#include "runtime/core/printable.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gs::inline GS_FLAVOUR::detail {

std::vector<character> characters_of(std::string_view text) {
  std::vector<character> all;
  while (!text.empty()) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
    const unsigned lead = byte(0);
    std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xE ? 3 : lead >> 3 == 0x1E ? 4 : 0;
    bool right = length > 0 && length <= text.size();
    char32_t code = length < 2 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; right && k < length; ++k) {
      right = (byte(k) & 0xC0) == 0x80;
      code = code << 6 | (byte(k) & 0x3F);
    }
    // RFC 3629: the shortest form, no halves of UTF-16's pairs, nothing beyond the last plane.
    static constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (!right || code < least[length] || code > 0x10FFFF || (0xD800 <= code && code <= 0xDFFF)) {
      code = 0xFFFD;
      length = 1;
    }
    all.push_back({code, text.substr(0, length)});
    text.remove_prefix(length);
  }
  return all;
}

bool is_control(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 9> ranges{{{0, 0x1F},
                                                                        {0x7F, 0x9F},
                                                                        {0x200B, 0x200B},
                                                                        {0x200E, 0x200F},
                                                                        {0x2028, 0x202E},
                                                                        {0x2060, 0x206F},
                                                                        {0xFEFF, 0xFEFF},
                                                                        {0xFFF9, 0xFFFB},
                                                                        {0xE0000, 0xE007F}}};
  return std::ranges::any_of(ranges, [c](const auto& range) { return range.first <= c && c <= range.second; });
}

std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t'; };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);  // nearly always, and in a fraction of the time
  std::string out;
  for (const character& c : characters_of(text)) {
    const bool breaks = c.code == '\n' || c.code == '\t';
    const bool nothing = c.code >= 0xFFFD && c.code <= 0xFFFF;  // no UTF-8, or what XML 1.0 has no place for
    if (breaks || !(is_control(c.code) || nothing))
      out += c.text;
    else
      out += '?';
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const character& c : characters_of(text))
    out += is_control(c.code) || c.code == 0xFFFD ? "?" : std::string(c.text);
  return out;
}

}  // namespace gs::inline GS_FLAVOUR::detail
