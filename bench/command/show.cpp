#include "bench/command/show.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bench {

void say(const std::string& what) {
  static const bool watched = isatty(STDERR_FILENO) != 0;
  if (!watched) return;
  fmt::print(stderr, "\r\033[K{}{}", what.empty() ? "" : "measuring ", what);
  std::fflush(stderr);
}

void print(const choices& chosen, const std::string& text) {
  say("");
  if (chosen.json) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

}  // namespace bench
