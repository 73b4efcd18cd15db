#include "bench/command/show.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bench {

void say(const std::string& activity) {
  static const bool is_terminal = isatty(STDERR_FILENO) != 0;
  if (!is_terminal) return;
  fmt::print(stderr, "\r\033[K{}{}", activity.empty() ? "" : "measuring ", activity);
  std::fflush(stderr);
}

void print(const choices& chosen, const std::string& text) {
  say("");
  if (chosen.json || chosen.markdown) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

}  // namespace bench
