#include "assessments/runner/crash_handler.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstddef>

#include "assessments/runner/message.h"
#include "runtime/engine/closed_memory.h"
#include "workshop/refused_call.h"

namespace runner {
namespace {

constexpr std::array reported = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU};

// Everything that the handler needs is made before: in it, no memory can be asked for.
address_range inputs, module_code;
std::uintptr_t module_base = 0;
volatile std::uint64_t current_nonce = 0;
reply report;
std::size_t frames_found = 0;
std::atomic<pid_t> crashed_thread{0};
alignas(16) std::array<std::byte, std::size_t{256} << 10> handler_stack;

void note_frame(std::uintptr_t address) {
  if (address < module_code.begin || address >= module_code.end || frames_found == report.frames.size()) return;
  report.frames[frames_found++] = address - module_base;
}

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* count) {
  int is_exact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // A call returns to the instruction after it, which may belong to the next line.
  if (address != 0) note_frame(is_exact ? address : address - 1);
  auto& visited = *static_cast<int*>(count);
  return ++visited == 512 || frames_found == report.frames.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
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

// Of an access violation (Intel's manual, volume 3, "Page-Fault Exception": bit 1 of the error code).
bool wrote([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return false;
#endif
}

[[noreturn]] void send_and_end(int signal) {
  send(channel_fd, &report, sizeof report, MSG_NOSIGNAL);
  _exit(128 + signal);
}

void on_crash(int signal, siginfo_t* info, void* context) {
  pid_t first = 0;
  if (!crashed_thread.compare_exchange_strong(first, gettid())) {
    // Another thread was first: its report ends us both. If it was this one, it is the handler that crashed, on a stack
    // that is past reading: what is known by then has to do.
    while (first != gettid()) pause();
    send_and_end(report.signal);
  }
  report.nonce = current_nonce;
  report.outcome = outcome::crashed;
  report.signal = signal;
  if (signal == SIGSYS) {
    report.fault_address = workshop::refused_call(*info);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    report.fault_address = address;
    if (signal == SIGSEGV && gs::closed_memory::contains(info->si_addr))
      report.touched_device = wrote(*static_cast<const ucontext_t*>(context)) ? 2 : 1;
    report.wrote_input = signal == SIGSEGV && address >= inputs.begin && address < inputs.end;
  }
  int visited = 0;
  _Unwind_Backtrace(&on_frame, &visited);
  if (frames_found == 0) note_frame(interrupted_at(*static_cast<const ucontext_t*>(context)));
  send_and_end(signal);
}

_Unwind_Reason_Code stop_at_once(_Unwind_Context*, void*) { return _URC_END_OF_STACK; }

// The range of a library's code, for dl_iterate_phdr.
int note_code(dl_phdr_info* library, std::size_t, void*) {
  if (library->dlpi_addr != module_base) return 0;
  for (int k = 0; k < library->dlpi_phnum; ++k) {
    const auto& segment = library->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    module_code = {module_base + segment.p_vaddr, module_base + segment.p_vaddr + segment.p_memsz};
  }
  return 1;
}

}  // namespace

void report_crashes(address_range shared_inputs) {
  inputs = shared_inputs;
  _Unwind_Backtrace(&stop_at_once, nullptr);  // loads what it needs now, not in the handler
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = handler_stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : reported) sigaction(signal, &action, nullptr);
}

void report_calls_of(const void* symbol) {
  Dl_info info;
  link_map* library = nullptr;
  if (!dladdr1(symbol, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) || !library) return;
  module_base = library->l_addr;
  dl_iterate_phdr(&note_code, nullptr);
}

void answer_with(std::uint64_t nonce) { current_nonce = nonce; }

}  // namespace runner
