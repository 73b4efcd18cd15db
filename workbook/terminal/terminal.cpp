#include "workbook/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace workbook {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The first of the three that is set decides, as in setlocale(3). Where none is, text goes out as UTF-8: a bare
// container has no locale and yet shows it.
bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return value.find("utf-8") != value.npos || value.find("utf8") != value.npos;
  }
  return true;
}

}  // namespace

terminal detect_terminal(int file_descriptor) {
  terminal t;
  t.unicode = shows_unicode();
  t.interactive = isatty(file_descriptor) == 1;
  if (!t.interactive) return t;

  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) t.width = size.ws_col;
  if (const int columns = std::atoi(variable("COLUMNS").c_str()); columns > 0)
    t.width = static_cast<std::size_t>(columns);
  t.width = std::max<std::size_t>(t.width, 20);

  const std::string kind = variable("TERM");
  const std::string depth = variable("COLORTERM");
  if (variable("NO_COLOR").empty() && kind != "dumb" && !kind.empty())
    t.colours = depth == "truecolor" || depth == "24bit" ? colour_depth::true_colour : colour_depth::palette_256;
  return t;
}

}  // namespace workbook
