#include "workbook/command/interruption.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/core/crash_report.h"
#include "runtime/instruments/interruption.h"

namespace workbook {
namespace {

constexpr unsigned seconds_to_next_access = 5;
// A sender such as timeout may signal the process group and the process, too: that counts as one interruption.
constexpr long same_milliseconds = 200;

std::string_view interrupted_program;
std::atomic<long> first_interruption{0};  // milliseconds
std::atomic<bool> inspection_ends{false};
std::array<char, 256> kernel_then;  // the kernel that ran when SIGINT came, ended by 0
bool clears_line = false;           // a progress bar may stand on the terminal's

void note_kernel() {
  const std::string_view kernel = gs::detail::running_kernel();
  kernel_then[kernel.copy(kernel_then.data(), kernel_then.size() - 1)] = '\0';
}

// Whether this is the main thread; if it isn't, that one gets the signal.
bool is_main_thread(int signal) {
  if (gettid() == getpid()) return true;
  tgkill(getpid(), getpid(), signal);
  return false;
}

long milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void end_at_once() {
  std::array<char, 512> line;
  std::size_t length = 0;
  const auto put = [&](std::string_view text) { length += text.copy(line.data() + length, line.size() - length - 1); };
  put(clears_line ? "\r\033[K" : "\n");
  put(interrupted_program);
  put(": interrupted");
  if (kernel_then.front() != '\0') {
    put(" while kernel ");
    put(kernel_then.data());
    put(" runs");
  }
  line[length++] = '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), length);
  end_by_interruption();
}

// Nothing in the two handlers asks for memory or takes a lock.
void on_interrupt(int) {
  if (!is_main_thread(SIGINT)) return;
  const long now = milliseconds_now();
  if (long first = 0; !first_interruption.compare_exchange_strong(first, now)) {
    if (now - first > same_milliseconds) end_at_once();
    return;
  }
  note_kernel();
  if (gs::detail::interrupt_inspection()) {
    inspection_ends = true;
    alarm(seconds_to_next_access);
    return;
  }
  gs::detail::report_as_crash(SIGINT);
  end_at_once();
}

// The inspected kernel accesses nothing, or the lesson is busy outside of kernels.
void on_alarm(int) {
  if (!is_main_thread(SIGALRM) || !gs::detail::interrupt_inspection()) return;
  note_kernel();
  gs::detail::report_as_crash(SIGINT);
  end_at_once();
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void tell_of_interruption(std::string_view program) {
  interrupted_program = program;
  clears_line = isatty(STDERR_FILENO) == 1;
  gs::detail::running_kernel();
  gs::detail::interrupt_inspection();  // allocates what it needs now
  handle(SIGINT, &on_interrupt);
  handle(SIGALRM, &on_alarm);
}

void inspection_has_ended() { alarm(0); }

std::string text_of_interruption() {
  const std::string_view kernel = kernel_then.data();
  return kernel.empty() ? "interrupted" : "interrupted while kernel " + std::string(kernel) + " runs";
}

void end_by_interruption() {
  signal(SIGINT, SIG_DFL);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
  raise(SIGINT);
  _exit(128 + SIGINT);
}

void end_if_interrupted() {
  if (inspection_ends) end_by_interruption();
}

void end_with_launcher() {
  const char* const launcher = std::getenv("GRIDSTRIDE_LAUNCHER");
  if (launcher == nullptr || launcher != std::to_string(getppid())) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (launcher != std::to_string(getppid())) raise(SIGTERM);  // it ended before that
}

}  // namespace workbook
