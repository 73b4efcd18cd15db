#include "assessments/grader/printable.h"

#include <cstddef>

namespace grader {
namespace {

unsigned char byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Bytes of the UTF-8 sequence that starts at text[i], 0 if there is none (RFC 3629: no surrogates, nothing overlong).
std::size_t sequence_at(std::string_view text, std::size_t i) {
  const unsigned char first = byte(text, i);
  const std::size_t bytes = first < 0x80   ? 1
                            : first < 0xC2 ? 0
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 0;
  if (bytes == 0 || i + bytes > text.size()) return 0;
  for (std::size_t k = 1; k < bytes; ++k)
    if ((byte(text, i + k) & 0xC0) != 0x80) return 0;
  if (bytes > 1) {
    const unsigned char second = byte(text, i + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second >= 0x90))
      return 0;
  }
  return bytes;
}

// C0 and C1 control characters, and what XML 1.0 has no place for.
bool is_control(std::string_view sequence) {
  const unsigned char first = byte(sequence, 0);
  if (sequence.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  if (sequence.size() == 2) return first == 0xC2 && byte(sequence, 1) < 0xA0;
  return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = sequence_at(text, i);
    const std::string_view sequence = text.substr(i, bytes == 0 ? 1 : bytes);
    if (bytes == 0 || is_control(sequence))
      out += '?';
    else
      out += sequence;
    i += sequence.size();
  }
  return out;
}

}  // namespace grader
