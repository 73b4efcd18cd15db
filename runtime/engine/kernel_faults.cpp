#include "runtime/engine/kernel_faults.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unwind.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/division_fault.h"
#include "runtime/engine/fault_replay.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

struct sigaction before_access_violation, before_bus_error, before_illegal_instruction, before_trap, before_division;
std::atomic<bool> access_violations_are_left = false;

// --- what was interrupted --------------------------------------------------------------------------------------------

struct code_range {
  std::uintptr_t begin, end;
  bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
};
// Libraries that lock: whoever is stopped in them may hold what all others need. Of them, the functions that follow a
// kernel's pointers hold nothing. Filled before a handler reads them.
std::vector<code_range>& locking_libraries() {
  static auto* all = new std::vector<code_range>;
  return *all;
}
std::vector<code_range>& memory_functions() {
  static auto* all = new std::vector<code_range>;
  return *all;
}

int note_locking_library(dl_phdr_info* library, std::size_t, void*) {
  const std::uintptr_t inside[] = {reinterpret_cast<std::uintptr_t>(&std::malloc),
                                   reinterpret_cast<std::uintptr_t>(&abi::__cxa_throw),
                                   reinterpret_cast<std::uintptr_t>(&_Unwind_Backtrace), getauxval(AT_BASE)};
  bool locks = false;
  for (int k = 0; k < library->dlpi_phnum; ++k) {
    const auto& segment = library->dlpi_phdr[k];
    const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    for (const std::uintptr_t address : inside) locks |= segment.p_type == PT_LOAD && address - begin < segment.p_memsz;
  }
  for (int k = 0; locks && k < library->dlpi_phnum; ++k) {
    const auto& segment = library->dlpi_phdr[k];
    const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X))
      locking_libraries().push_back({begin, begin + segment.p_memsz});
  }
  return 0;
}

void note_libraries() {
  dl_iterate_phdr(&note_locking_library, nullptr);
  constexpr std::size_t about_as_long = 4096;  // what stands behind them is of their kind
  for (const char* name : {"memcpy", "memmove", "memset"})
    if (const void* found = dlsym(RTLD_DEFAULT, name)) {
      const auto begin = reinterpret_cast<std::uintptr_t>(found);
      memory_functions().push_back({begin, begin + about_as_long});
    }
}

bool may_hold_a_lock(std::uintptr_t code) {
  for (const code_range& f : memory_functions())
    if (f.contains(code)) return false;
  for (const code_range& library : locking_libraries())
    if (library.contains(code)) return true;
  return false;
}

const void* stack_pointer_of(const ucontext_t& interrupted) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(interrupted.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(interrupted.uc_mcontext.sp);
#else
  (void)interrupted;
  return nullptr;
#endif
}

// --- what is done about it -------------------------------------------------------------------------------------------

// Lets the interrupted thread go on in `function`, which never returns, at the top of its emptied stack.
[[maybe_unused]] bool continue_in(ucontext_t& interrupted, void (*function)(), char* stack_top) {
  const auto top = reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{63};
  const auto start = reinterpret_cast<std::uintptr_t>(function);
#if defined(__x86_64__)
  interrupted.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(start);
  interrupted.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top - sizeof(void*));  // as after a call
  return true;
#elif defined(__aarch64__)
  interrupted.uc_mcontext.pc = start;
  interrupted.uc_mcontext.sp = top;
  return true;
#else
  (void)interrupted, (void)start, (void)top;
  return false;
#endif
}

bool give_up_thread(thread_fault::kind what, int number, const siginfo_t& info, ucontext_t& interrupted) {
  block_scheduler* scheduler = block_scheduler::running_here();
  if (!scheduler) return false;
  const thread_fault& fault = scheduler->note_fault(what, describe_signal(number, info, &interrupted));
  if (replays_fault()) end_replay(&fault);
  return continue_in(interrupted, &block_scheduler::go_on_after_fault, scheduler->stack_top());
}

// Whether it is a thread of a kernel, in its own code, that was stopped.
bool is_of_a_kernel(const ucontext_t& interrupted) {
  const block_scheduler* scheduler = block_scheduler::running_here();
  return scheduler && !sanitizer_reports_signals && !leaves_access_violations() &&
         scheduler->runs_on(stack_pointer_of(interrupted)) && !may_hold_a_lock(code_of(interrupted));
}

// Not ours: with the handler of before in place, the access is tried again and ends there.
void pass_on(int number, const struct sigaction& before) {
  if (replays_fault()) end_replay(nullptr);
  sigaction(number, &before, nullptr);
}

// Ends the thread if it is one of a kernel, in its own code. Whether it was.
bool gives_up_kernel(int number, const siginfo_t& info, void* context) {
  auto& interrupted = *static_cast<ucontext_t*>(context);
  return is_of_a_kernel(interrupted) && give_up_thread(thread_fault::kind::access, number, info, interrupted);
}

void on_access_violation(int number, siginfo_t* info, void* context) {
  const block_scheduler* scheduler = block_scheduler::running_here();
  const bool given_up =
      scheduler && scheduler->overflowed(info->si_addr)
          ? give_up_thread(thread_fault::kind::overflow, number, *info, *static_cast<ucontext_t*>(context))
          : gives_up_kernel(number, *info, context);
  if (!given_up) pass_on(number, before_access_violation);
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  if (!gives_up_kernel(number, *info, context)) pass_on(number, before_bus_error);
}

void on_illegal_instruction(int number, siginfo_t* info, void* context) {
  if (!gives_up_kernel(number, *info, context)) pass_on(number, before_illegal_instruction);
}

void on_trap(int number, siginfo_t* info, void* context) {
  if (!gives_up_kernel(number, *info, context)) pass_on(number, before_trap);
}

// x86 alone stops at an integer divided by zero, or the most negative one by -1.
void on_division(int number, siginfo_t* info, void* interrupted) {
  give_up_at_division();  // if it stands in a ufunc
  if (!give_up_thread(thread_fault::kind::division, number, *info, *static_cast<ucontext_t*>(interrupted)))
    pass_on(number, before_division);
}

bool install_all() {
  note_libraries();
  prepare_for_signals();
  return handle_signal(SIGSEGV, &on_access_violation, before_access_violation) &&
         handle_signal(SIGBUS, &on_bus_error, before_bus_error) &&
         handle_signal(SIGILL, &on_illegal_instruction, before_illegal_instruction) &&
         (trap_signal == SIGILL || handle_signal(trap_signal, &on_trap, before_trap)) &&
         handle_signal(SIGFPE, &on_division, before_division);
}

}  // namespace

void catch_kernel_faults() {
  static const bool installed = install_all();
  (void)installed;
}

void leave_access_violations() { access_violations_are_left = true; }
bool leaves_access_violations() { return access_violations_are_left; }

}  // namespace gs::inline GS_FLAVOUR::detail
