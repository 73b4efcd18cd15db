#include "programs/foreground.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "runtime/core/error.h"

namespace programs {
namespace {

bool take(const gs::detail::descriptor& signals, signalfd_siginfo& info) {
  return ::read(signals.number(), &info, sizeof info) == ssize_t{sizeof info};
}

// The terminal sends Ctrl-C to every program in its foreground group; kill(2) reaches only this one.
bool is_from_terminal(const signalfd_siginfo& info) { return info.ssi_code == SI_KERNEL; }

}  // namespace

foreground::foreground() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = gs::detail::descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_.open())
    throw gs::machine_error("wait for Ctrl-C", std::system_category().message(errno), "raise the limit (ulimit -n)");
}

workshop::interruption foreground::interruption() {
  return {.descriptor = signals_.number(), .happened = [this] {
            signalfd_siginfo info{};
            if (take(signals_, info)) ending_signal_ = static_cast<int>(info.ssi_signo);
            return ending_signal_ != 0;
          }};
}

int foreground::run(const child_options& o) {
  child_program child(o);
  std::array<pollfd, 2> events{{{child.descriptor(), POLLIN, 0}, {signals_.number(), POLLIN, 0}}};
  while (!child.ended()) {
    poll(events.data(), events.size(), -1);
    signalfd_siginfo info{};
    while (take(signals_, info))
      if (!is_from_terminal(info)) child.send(static_cast<int>(info.ssi_signo));
  }
  return child.status();
}

void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
  _exit(128 + signal);
}

void end_as(int status) {
  const sigset_t set = ending_signals();
  if (status > 128 && sigismember(&set, status - 128) == 1) end_by(status - 128);
}

}  // namespace programs
