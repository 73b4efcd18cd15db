#include "workbook/terminal/printable.h"

#include "workbook/terminal/characters.h"

namespace workbook {

std::string printable(std::string_view text) {
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

}  // namespace workbook
