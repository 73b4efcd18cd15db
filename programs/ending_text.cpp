#include "programs/ending_text.h"

#include <fmt/format.h>

#include <csignal>

#include "runtime/core/printable.h"
#include "workbook/command_name.h"
#include "workshop/crash_place.h"

namespace programs {

std::string ending_text(int status, const program_files& files) {
  const int signal = status - 128;
  if (signal <= 0 || signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGPIPE) return "";
  const std::string file = gs::detail::printable(files.shown.string());
  if (signal == SIGKILL) return fmt::format("{}: {}\n", file, workshop::killed_text);
  return fmt::format("{} was ended by a signal: {}. {} inspect {} observes what its kernels do.\n", file,
                     workshop::signal_name(signal), workbook::command_name(), workbook::for_shell(file));
}

}  // namespace programs
