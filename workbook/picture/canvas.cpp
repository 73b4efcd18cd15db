#include "workbook/picture/canvas.h"

#include <algorithm>

namespace workbook {

// Bisects the length, so that a long text takes only a few measurements.
std::string canvas::fitted(std::string_view text, font f, double width) {
  // Longer than any picture is wide: measuring all of it would only take time.
  constexpr std::size_t longest = 4096;
  if (text.size() <= longest && width_of(text, f) <= width) return std::string(text);
  const auto shortened = [text](std::size_t size) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;  // a character stays whole
    return std::string(text.substr(0, size)) + "…";
  };
  std::size_t fits = 0, too_long = std::min(text.size(), longest);
  while (too_long - fits > 1) {
    const std::size_t middle = fits + (too_long - fits) / 2;
    (width_of(shortened(middle), f) <= width ? fits : too_long) = middle;
  }
  return shortened(fits);
}

}  // namespace workbook
