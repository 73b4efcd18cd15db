#include "runtime/core/crash_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::array reported = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
constexpr unsigned most_seconds = 20;

// The thread that reports waits at the end of this pipe. Never destroyed, since a program may crash while it exits.
struct reporter {
  std::function<void(const fault_signal&)> report;
  int status = 1;
  std::array<int, 2> bell{-1, -1};
  std::array<struct sigaction, reported.size()> before{};
  fault_signal signal;
  std::atomic<pid_t> crashed{0}, reports{0};  // threads; the second is 0 until it runs
  std::atomic<bool> waits = false;            // the reporting thread runs
  std::atomic<bool> listens = false;          // a crash_report lives
};
reporter& the_reporter() {
  static auto* instance = new reporter;
  return *instance;
}

[[noreturn]] void end_with_a_sentence(const char* sentence) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence, std::strlen(sentence));
  _exit(the_reporter().status);
}

// The first thread to get here goes on; all others stop here.
void let_only_the_first_pass() {
  reporter& r = the_reporter();
  pid_t first = 0;
  if (r.crashed.compare_exchange_strong(first, gettid())) return;
  if (gettid() == first || gettid() == r.reports)
    end_with_a_sentence("The program crashed, and then could not say what it had found.\n");
  for (;;) pause();
}

[[noreturn]] void wait_for_report(const char* too_late) {
  for (unsigned left = most_seconds; left > 0;) left = sleep(left);
  end_with_a_sentence(too_late);
}

void on_crash(int number, siginfo_t* info, void* context) {
  let_only_the_first_pass();
  reporter& r = the_reporter();
  r.signal = describe_signal(number, *info, context);
  if (!r.waits || write(r.bell[1], "!", 1) != 1) end_with_a_sentence("The program crashed.\n");
  wait_for_report("The program crashed, and what it had found could not be shown in time.\n");
}

void wait_for_a_crash() {
  reporter& r = the_reporter();
  r.reports = gettid();
  give_signals_a_stack();
  for (;;) {
    char ring = 0;
    if (read(r.bell[0], &ring, 1) != 1) continue;
    try {
      r.report(r.signal);
    } catch (...) {  // there is nobody left to tell
    }
    _exit(r.status);
  }
}

// Called once. The thread stays, and receives only the signals that it causes itself.
void start_reporter() {
  reporter& r = the_reporter();
  if (pipe2(r.bell.data(), O_CLOEXEC) != 0) return;
  sigset_t blocked, previous;
  sigfillset(&blocked);
  for (const int signal : reported) sigdelset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);
  try {
    std::thread(&wait_for_a_crash).detach();
    r.waits = true;
  } catch (const std::system_error&) {  // the system has no thread left: one sentence has to do
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

}  // namespace

void report_as_crash(int signal) noexcept {
  reporter& r = the_reporter();
  if (!r.waits || !r.listens) return;
  let_only_the_first_pass();
  r.signal = {};
  r.signal.number = signal;
  if (write(r.bell[1], "!", 1) == 1) wait_for_report("What was found so far could not be shown in time.\n");
}

crash_report::crash_report(std::function<void(const fault_signal&)> report, int status) {
  reporter& r = the_reporter();
  r.report = std::move(report);
  r.status = status;
  if (sanitizer_reports_signals) return;
  static std::once_flag started;
  std::call_once(started, &start_reporter);
  prepare_for_signals();
  give_signals_a_stack();
  for (std::size_t k = 0; k < reported.size(); ++k) handle_signal(reported[k], &on_crash, r.before[k], SA_NODEFER);
  r.listens = true;
}

crash_report::~crash_report() {
  reporter& r = the_reporter();
  r.listens = false;
  // A handler that the engine has put in front of ours stays there, and calls ours in the end.
  for (std::size_t k = 0; k < reported.size() && !sanitizer_reports_signals; ++k) {
    struct sigaction now{};
    sigaction(reported[k], nullptr, &now);
    if (now.sa_sigaction == &on_crash) sigaction(reported[k], &r.before[k], nullptr);
  }
  r.report = [](const fault_signal&) {};
}

}  // namespace gs::inline GS_FLAVOUR::detail
