#include "dialect/language/shared_probe.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace dialect::detail {
namespace {

[[noreturn]] void run_in_copy(shared_layout& layout, int report, gs::detail::function_ref<void()> run_block) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(1);
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {  // what it prints, it prints later
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  layout.report_to(report);
  try {
    run_block();
  } catch (...) {  // it will fail again where somebody hears of it
  }
  _exit(0);
}

std::size_t last_report(int from) {
  std::size_t bytes = 0, next = 0;
  while (read(from, &next, sizeof next) == sizeof next) bytes = next;
  return bytes;
}

}  // namespace

void probe_shared_bytes(shared_layout& layout, gs::detail::function_ref<void()> run_block) {
  if (layout.is_known()) return;
  if (std::getenv("GRIDSTRIDE_NO_PROCESSES")) return layout.take_all_room();  // workshop/confine
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t copy = fork();
  if (copy == 0) run_in_copy(layout, ends[1], run_block);
  close(ends[1]);
  if (copy > 0) {
    layout.set_known(last_report(ends[0]));
    waitpid(copy, nullptr, 0);
  }
  close(ends[0]);
}

}  // namespace dialect::detail
