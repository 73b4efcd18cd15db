#include "workbook/terminal/text_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace workbook {
namespace {

// Bytes of the character that starts at text[i]: an escape sequence "\033[...m" is one, with no width.
struct glyph {
  std::size_t bytes;
  std::size_t columns;
};

glyph glyph_at(std::string_view text, std::size_t i) {
  if (text[i] == '\033') {
    std::size_t end = text.find('m', i);
    return {end == text.npos ? text.size() - i : end - i + 1, 0};
  }
  std::size_t end = i + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return {end - i, 1};
}

void wrap_line(std::string_view line, std::size_t width, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  if (line.starts_with(' ')) {
    out += margin + std::string(line) + "\n";
    return;
  }
  std::string current;
  std::size_t used = 0, position = 0;
  while (position < line.size()) {
    std::size_t end = line.find(' ', position);
    if (end == line.npos) end = line.size();
    const std::string_view word = line.substr(position, end - position);
    position = end + 1;
    if (word.empty()) continue;
    const std::size_t columns = display_width(word);
    if (used > 0 && indent + used + 1 + columns > width) {
      out += margin + current + "\n";
      current.clear();
      used = 0;
    }
    if (used > 0) {
      current += ' ';
      ++used;
    }
    current += word;
    used += columns;
  }
  out += (current.empty() ? "" : margin + current) + "\n";
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const glyph g = glyph_at(text, i);
    columns += g.columns;
    i += g.bytes;
  }
  return columns;
}

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(text.substr(0, glyph_at(text, 0).bytes));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string start;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size() && columns + 1 < width;) {
    const glyph g = glyph_at(text, i);
    start += text.substr(i, g.bytes);
    columns += g.columns;
    i += g.bytes;
  }
  return start + "…";
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t start = 0;
  while (start <= text.size()) {
    std::size_t end = text.find('\n', start);
    if (end == text.npos) end = text.size();
    wrap_line(text.substr(start, end - start), width, indent, out);
    start = end + 1;
  }
  return out;
}

std::string to_ascii(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 50> stand_ins{{
      {"µ", "u"},  {"μ", "u"},  {"±", "+/-"}, {"×", "x"},     {"·", "."},  {"…", "."},     {"–", "-"},    {"—", "-"},
      {"−", "-"},  {"‘", "'"},  {"’", "'"},   {"“", "\""},    {"”", "\""}, {"≤", "<="},    {"≥", ">="},   {"≠", "!="},
      {"≈", "~"},  {"→", "->"}, {"←", "<-"},  {"σ", "sigma"}, {"π", "pi"}, {"Δ", "Delta"}, {"√", "sqrt"}, {"°", "deg"},
      {"✓", "+"},  {"✗", "X"},  {"─", "-"},   {"┄", "-"},     {"┊", "|"},  {"━", "-"},     {"│", "|"},    {"┌", "+"},
      {"┐", "+"},  {"└", "+"},  {"┘", "+"},   {"├", "+"},     {"┤", "+"},  {"┬", "+"},     {"┴", "+"},    {"┼", "+"},
      {"█", "#"},  {"•", "*"},  {"∞", "inf"}, {"◐", "~"},     {"▶", ">"},  {"◀", "<"},     {"▲", "^"},    {"▼", "v"},
      {"╲", "\\"}, {"╱", "/"},
  }};
  static constexpr std::array<std::pair<std::string_view, char>, 11> superscripts{{{"⁻", '-'},
                                                                                   {"⁰", '0'},
                                                                                   {"¹", '1'},
                                                                                   {"²", '2'},
                                                                                   {"³", '3'},
                                                                                   {"⁴", '4'},
                                                                                   {"⁵", '5'},
                                                                                   {"⁶", '6'},
                                                                                   {"⁷", '7'},
                                                                                   {"⁸", '8'},
                                                                                   {"⁹", '9'}}};
  std::string out;
  bool raised = false;
  for (std::size_t i = 0; i < text.size();) {
    const glyph g = glyph_at(text, i);
    const std::string_view glyph = text.substr(i, g.bytes);
    const auto* power = std::find_if(superscripts.begin(), superscripts.end(),
                                     [&](const auto& candidate) { return candidate.first == glyph; });
    if (power != superscripts.end()) {
      out += (raised ? "" : "^") + std::string(1, power->second);
      raised = true;
      i += g.bytes;
      continue;
    }
    raised = false;
    i += g.bytes;
    if (glyph[0] == '\033' || g.bytes == 1) {
      out += glyph;
      continue;
    }
    std::string_view written = "?";
    for (const auto& [from, to] : stand_ins)
      if (from == glyph) written = to;
    out += written;
  }
  return out;
}

}  // namespace workbook
