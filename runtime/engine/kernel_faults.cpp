#include "runtime/engine/kernel_faults.h"

#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <memory>

#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR {
namespace {

struct sigaction before_access_violation, before_division;

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

void on_access_violation(int number, siginfo_t* info, void* interrupted) {
  const block_scheduler* scheduler = block_scheduler::running_here();
  if (scheduler && scheduler->overflowed(info->si_addr) &&
      continue_in(*static_cast<ucontext_t*>(interrupted), &block_scheduler::go_on_after_overflow,
                  scheduler->stack_top()))
    return;
  // Not ours: with the handler of before in place, the access is tried again and ends there.
  sigaction(number, &before_access_violation, nullptr);
}

// x86 alone stops at an integer divided by zero, or the most negative one by -1.
void on_division(int number, siginfo_t*, void* interrupted) {
  const block_scheduler* scheduler = block_scheduler::running_here();
  if (scheduler && continue_in(*static_cast<ucontext_t*>(interrupted), &block_scheduler::go_on_after_division,
                               scheduler->stack_top()))
    return;
  sigaction(number, &before_division, nullptr);
}

bool install(int number, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction ours {};
  ours.sa_sigaction = handler;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(number, &ours, &before) == 0;
}

class signal_stack {
 public:
  signal_stack() {
    stack_t current{};
    sigaltstack(nullptr, &current);
    if (!(current.ss_flags & SS_DISABLE)) return;  // a sanitizer or the program has made one
    memory_ = std::make_unique<char[]>(bytes);
    const stack_t ours{.ss_sp = memory_.get(), .ss_flags = 0, .ss_size = bytes};
    sigaltstack(&ours, nullptr);
  }
  ~signal_stack() {
    if (!memory_) return;
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = std::size_t{64} << 10;
  std::unique_ptr<char[]> memory_;
};

}  // namespace

void catch_kernel_faults() {
  static const bool installed =
      install(SIGSEGV, &on_access_violation, before_access_violation) && install(SIGFPE, &on_division, before_division);
  (void)installed;
}

void give_signals_a_stack() { thread_local const signal_stack stack; }

}  // namespace gs::inline GS_FLAVOUR
