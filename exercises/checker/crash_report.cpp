#include "exercises/checker/crash_report.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exercises/checker/protocol.h"
#include "runtime/instruments/interruption.h"
#include "workshop/inside/crash_handler.h"
#include "workshop/inside/refused_call.h"

namespace checker {
namespace {

constexpr std::array reported = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGALRM, SIGPROF};

// A line of text in an array: a signal handler may not allocate memory.
class message {
 public:
  void append(std::string_view text) { length_ += text.copy(line_.data() + length_, line_.size() - length_); }
  void append(std::uint64_t number) {
    std::array<char, 20> digits;
    std::size_t first = digits.size();
    do digits[--first] = static_cast<char>('0' + number % 10);
    while (number /= 10);
    append(std::string_view(digits.data() + first, digits.size() - first));
  }
  void send_it() const { send(channel_fd, line_.data(), length_, MSG_NOSIGNAL); }

 private:
  std::array<char, 2048> line_;
  std::size_t length_ = 0;
};

void say_crash(const workshop::crash& crash) {
  message m;
  m.append("{\"crash\":");
  m.append(static_cast<std::uint64_t>(crash.signal));
  m.append(",\"call\":");
  m.append(crash.signal == SIGSYS ? workshop::refused_call(crash.info) : 0);
  m.append(",\"frames\":[");
  for (std::size_t k = 0; k < crash.frames.size(); ++k) {
    if (k > 0) m.append(",");
    m.append(crash.frames[k]);
  }
  m.append("]}\n");
  m.send_it();
}

// Out of time: the stack of the thread that runs the kernel says more than that of the thread that waits for it.
bool concerns_kernels(int signal) {
  const pid_t kernels = gs::detail::thread_of_running_kernel();
  if ((signal != SIGALRM && signal != SIGPROF) || kernels == 0 || kernels == gettid()) return false;
  tgkill(getpid(), kernels, signal);
  return true;
}

}  // namespace

void report_crashes(unsigned seconds) {
  workshop::tell_crashes_of(reinterpret_cast<const void*>(&report_crashes));
  workshop::install({.signals = reported, .report = &say_crash, .concerns_another = &concerns_kernels});
  alarm(seconds);
  await_a_check();
}

void await_a_check() {
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds_to_a_check, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

}  // namespace checker
