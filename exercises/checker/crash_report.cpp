#include "exercises/checker/crash_report.h"

#include <link.h>
#include <signal.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exercises/checker/protocol.h"
#include "runtime/instruments/interruption.h"
#include "workshop/refused_call.h"

namespace checker {
namespace {

constexpr std::array reported = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGALRM};
constexpr int most_frames = 32, most_visited = 512;

// In the handler no memory can be asked for.
std::uintptr_t program_base = 0, program_end = 0;
std::array<char, 2048> line;
std::size_t length = 0;
int frames = 0;
std::atomic<pid_t> crashed_thread{0};
alignas(16) std::array<std::byte, std::size_t{256} << 10> handler_stack;

void put(std::string_view text) { length += text.copy(line.data() + length, line.size() - length); }

void put(std::uint64_t number) {
  std::array<char, 20> digits;
  std::size_t first = digits.size();
  do digits[--first] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  put(std::string_view(digits.data() + first, digits.size() - first));
}

void note_frame(std::uintptr_t address) {
  if (address < program_base || address >= program_end || frames == most_frames) return;
  if (frames++ > 0) put(",");
  put(address - program_base);
}

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* count) {
  int is_exact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // A call returns to the instruction after it, which may belong to the next line.
  if (address != 0) note_frame(is_exact ? address : address - 1);
  return ++*static_cast<int*>(count) == most_visited ? _URC_END_OF_STACK : _URC_NO_REASON;
}

std::uintptr_t interrupted_at(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

[[noreturn]] void send_and_end(int signal) {
  put("]}\n");
  send(channel_fd, line.data(), length, MSG_NOSIGNAL);
  _exit(128 + signal);
}

void on_crash(int signal, siginfo_t* info, void* context) {
  // Time is over. The one that waits for a kernel says less than the one that runs it.
  if (const pid_t kernels = gs::thread_of_running_kernel(); signal == SIGALRM && kernels != 0 && kernels != gettid()) {
    tgkill(getpid(), kernels, SIGALRM);
    return;
  }
  pid_t first = 0;
  if (!crashed_thread.compare_exchange_strong(first, gettid())) {
    // Another thread's report ends us both; if it was this one, its stack is past reading.
    while (first != gettid()) pause();
    send_and_end(signal);
  }
  put("{\"crash\":");
  put(static_cast<std::uint64_t>(signal));
  put(",\"call\":");
  put(signal == SIGSYS ? workshop::refused_call(*info) : 0);
  put(",\"frames\":[");
  int visited = 0;
  _Unwind_Backtrace(&on_frame, &visited);
  if (frames == 0) note_frame(interrupted_at(*static_cast<const ucontext_t*>(context)));
  send_and_end(signal);
}

_Unwind_Reason_Code stop_at_once(_Unwind_Context*, void*) { return _URC_END_OF_STACK; }

// The program itself is the first one that dl_iterate_phdr shows.
int note_program(dl_phdr_info* program, std::size_t, void*) {
  program_base = program->dlpi_addr;
  for (int k = 0; k < program->dlpi_phnum; ++k) {
    const auto& segment = program->dlpi_phdr[k];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X))
      program_end = program_base + segment.p_vaddr + segment.p_memsz;
  }
  return 1;
}

}  // namespace

void report_crashes(unsigned seconds) {
  dl_iterate_phdr(&note_program, nullptr);
  _Unwind_Backtrace(&stop_at_once, nullptr);  // loads what it needs now, not in the handler
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = handler_stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : reported) sigaction(signal, &action, nullptr);
  alarm(seconds);
}

}  // namespace checker
