#include "workbook/command/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "runtime/core/error.h"

namespace workbook {

void print_whole(std::string_view text) {
  errno = 0;
  const bool all_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (all_written && std::fflush(stdout) == 0) return;
  throw gs::machine_error("write to the standard output", std::system_category().message(errno),
                          "make room where it goes, or send it elsewhere");
}

}  // namespace workbook
