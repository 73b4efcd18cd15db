#include "workshop/inside/crash_handler.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "runtime/core/fault_signal.h"

namespace workshop {
namespace {

constexpr int most_visited = 512;  // frames; only those in the code of report_crashes_of() are noted

// All that the handler needs exists beforehand: a signal handler can't allocate.
crash_handler installed;
struct code_range {
  std::uintptr_t base = 0, begin = 0, end = 0;
} code;
std::array<std::uint64_t, 32> frames;
std::size_t frames_found = 0;
struct {
  int signal = 0;
  const siginfo_t* info = nullptr;
  const void* context = nullptr;
} first;
std::atomic<pid_t> crashed_thread{0};
int crashes = 0;
alignas(16) std::array<std::byte, std::size_t{256} << 10> handler_stack;

void note_frame(std::uintptr_t address) {
  if (address >= code.begin && address < code.end && frames_found < frames.size())
    frames[frames_found++] = address - code.base;
}

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* count) {
  int is_exact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // A call returns to the instruction after it, which may belong to the next line.
  if (address != 0) note_frame(is_exact ? address : address - 1);
  auto& visited = *static_cast<int*>(count);
  return ++visited == most_visited || frames_found == frames.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

[[noreturn]] void report_and_end() {
  installed.report({.signal = first.signal,
                    .info = *first.info,
                    .context = *static_cast<const ucontext_t*>(first.context),
                    .frames = {frames.data(), frames_found}});
  _exit(128 + first.signal);
}

void on_crash(int signal, siginfo_t* info, void* context) {
  if (installed.concerns_another && installed.concerns_another(signal)) return;
  pid_t reporting = 0;
  if (!crashed_thread.compare_exchange_strong(reporting, gettid())) {
    // If another thread was first, its report ends the program. If it was this one, the handler itself crashed, on a
    // stack too broken to unwind: report what is known so far.
    while (reporting != gettid()) pause();
    if (++crashes == 2) report_and_end();
    _exit(128 + first.signal);
  }
  crashes = 1;
  first = {signal, info, context};
  int visited = 0;
  _Unwind_Backtrace(&on_frame, &visited);
  if (frames_found == 0) note_frame(gs::detail::code_of(*static_cast<const ucontext_t*>(context)));
  report_and_end();
}

// For dl_iterate_phdr: the range of the code at code.base.
int note_code(dl_phdr_info* library, std::size_t, void*) {
  if (library->dlpi_addr != code.base) return 0;
  for (int k = 0; k < library->dlpi_phnum; ++k) {
    const auto& segment = library->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    code.begin = code.base + segment.p_vaddr;
    code.end = code.begin + segment.p_memsz;
  }
  return 1;
}

// fork() of newer C libraries (glibc 2.41) blocks all signals before its system call: the refusal would end the process
// unreported. What is registered with pthread_atfork runs before that, so make a call there that the same rule of the
// filter refuses. Without a filter it has no effect: the kernel doesn't accept these flags.
void be_refused_a_process() { syscall(SYS_clone, CLONE_SIGHAND, nullptr, nullptr, nullptr, nullptr); }

}  // namespace

void install(const crash_handler& handler) {
  installed = handler;
  gs::detail::prepare_for_signals();
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = handler_stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction before{};
  for (const int signal : handler.signals) gs::detail::handle_signal(signal, &on_crash, before, SA_NODEFER);
  if (std::ranges::find(handler.signals, SIGSYS) != handler.signals.end())
    pthread_atfork(&be_refused_a_process, nullptr, nullptr);
}

void tell_crashes_of(const void* address) {
  Dl_info info;
  link_map* library = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) || !library) return;
  code.base = library->l_addr;
  dl_iterate_phdr(&note_code, nullptr);
}

}  // namespace workshop
