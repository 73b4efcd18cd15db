#include "workbook/terminal/plot_text.h"

#include "workbook/terminal/text_layout.h"

namespace workbook {

std::string to_text(const plot& p, const terminal& t) {
  const std::string text = std::visit([&](const auto& kind) { return kind.to_text(t); }, p);
  return t.unicode ? text : to_ascii(text);
}

}  // namespace workbook
