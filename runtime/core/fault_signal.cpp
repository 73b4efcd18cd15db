#include "runtime/core/fault_signal.h"

#include <fmt/format.h>
#include <string.h>
#include <unwind.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* signal) {
  auto& fault = *static_cast<fault_signal*>(signal);
  int is_exact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  if (address == 0 || fault.depth == fault.frames.size()) return _URC_END_OF_STACK;
  fault.frames[fault.depth++] = reinterpret_cast<const void*>(is_exact ? address + 1 : address);
  return _URC_NO_REASON;
}
_Unwind_Reason_Code stop_at_once(_Unwind_Context*, void*) { return _URC_END_OF_STACK; }

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

#if defined(__aarch64__)
// Whether an instruction of A64 writes to memory. (The kernel can say so, too; qemu's user emulation doesn't.)
bool stores(std::uint32_t instruction) {
  struct pattern {
    std::uint32_t mask, bits;
  };
  constexpr pattern stores[] = {
      {0xbfff0000, 0x0c000000}, {0xbfe00000, 0x0c800000},  // structures of vectors
      {0xbfdf0000, 0x0d000000}, {0xbfc00000, 0x0d800000},  // one element of each
      {0x3f400000, 0x08000000}, {0x3fa07c00, 0x08a07c00},  // exclusive or ordered; compare and swap
      {0x3b208c00, 0x38200000}, {0x3b20fc00, 0x38208000},  // other atomic ones
      {0x3bc00000, 0x39000000}, {0x3fc00000, 0x3d800000},  // one register, at an offset
      {0x3bc00000, 0x38000000}, {0x3fc00000, 0x3c800000},  // one register, other addresses
      {0x3a400000, 0x28000000},                            // two registers
      {0xffffffe0, 0xd50b7420},                            // DC ZVA, which memset uses
  };
  return std::any_of(std::begin(stores), std::end(stores),
                     [&](const pattern& p) { return (instruction & p.mask) == p.bits; });
}
#endif

}  // namespace

std::uintptr_t code_of([[maybe_unused]] const ucontext_t& interrupted) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return interrupted.uc_mcontext.pc;
#else
  return 0;
#endif
}

bool was_a_write([[maybe_unused]] const ucontext_t& interrupted) {
#if defined(__x86_64__)
  return (interrupted.uc_mcontext.gregs[REG_ERR] & 2) != 0;  // W/R of a page fault's error code
#elif defined(__aarch64__)
  const std::uintptr_t code = interrupted.uc_mcontext.pc;
  if (code % 4 != 0 || code == interrupted.uc_mcontext.fault_address) return false;  // it isn't code
  return stores(*reinterpret_cast<const std::uint32_t*>(code));
#else
  return false;
#endif
}

bool handle_signal(int number, void (*handler)(int, siginfo_t*, void*), struct sigaction& before, int more_flags) {
  struct sigaction ours{};
  ours.sa_sigaction = handler;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | more_flags;
  sigemptyset(&ours.sa_mask);
  return sigaction(number, &ours, &before) == 0;
}

fault_signal describe_signal(int number, const siginfo_t& info, const void* context) {
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  fault_signal signal{.number = number, .code = info.si_code, .address = info.si_addr};
  signal.writes = was_a_write(interrupted);
  _Unwind_Backtrace(&note_frame, &signal);
  if (signal.depth == 0) {  // the program jumped to an address that isn't code
    signal.frames[0] = reinterpret_cast<const void*>(code_of(interrupted) + 1);
    signal.depth = 1;
  }
  return signal;
}

void prepare_for_signals() { _Unwind_Backtrace(&stop_at_once, nullptr); }

void give_signals_a_stack() { thread_local const signal_stack stack; }

std::string signal_text(int number) {
  const char *name = sigabbrev_np(number), *description = sigdescr_np(number);
  if (!name || !description) return fmt::format("signal {}", number);
  std::string text = description;
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return fmt::format("SIG{} ({})", name, text);
}

}  // namespace gs::inline GS_FLAVOUR::detail
