#include "workbook/picture/canvas.h"

namespace workbook {

std::string canvas::fitted(std::string_view text, font f, double width) {
  if (width_of(text, f) <= width) return std::string(text);
  std::string kept(text);
  while (!kept.empty() && width_of(kept + "…", f) > width) {
    // A character of several bytes goes as a whole.
    while (kept.size() > 1 && (static_cast<unsigned char>(kept.back()) & 0xC0) == 0x80) kept.pop_back();
    kept.pop_back();
  }
  return kept + "…";
}

}  // namespace workbook
