#pragma once
// fault_signal: a signal that the program itself caused, as the signal's handler sees it.

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// AddressSanitizer reports signals itself, and says more.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitizer_reports_signals = true;
#else
inline constexpr bool sanitizer_reports_signals = false;
#endif

/// What __builtin_trap() is, and what a function without its return may come to.
#if defined(__aarch64__)  // a breakpoint; other bits that are no instruction remain SIGILL
inline constexpr int trap_signal = SIGTRAP;
#else
inline constexpr int trap_signal = SIGILL;
#endif

struct fault_signal {
  int number = 0, code = 0;       ///< as in siginfo_t
  const void* address = nullptr;  ///< of the access
  bool writes = false;            ///< rather than reads, as far as the processor says
  std::array<const void*, 32> frames{};
  std::size_t depth = 0;

  /// The code that ran, innermost first, each as the address that a call returns to.
  std::span<const void* const> calls() const { return {frames.data(), depth}; }
};

/// For the signal's handler; `context` is its third argument. Allocates no memory.
fault_signal describe_signal(int number, const siginfo_t& info, const void* context);
/// From a handler's third argument: the address of the interrupted instruction, 0 where that isn't known, and whether
/// the refused access was a write.
std::uintptr_t code_of(const ucontext_t& interrupted);
bool was_a_write(const ucontext_t& interrupted);
/// Installs `handler` for the signal, on the signal stack; `before` gets the previous handler. False if that failed.
bool handle_signal(int number, void (*handler)(int, siginfo_t*, void*), struct sigaction& before, int more_flags = 0);
/// Loads what describe_signal needs; call it before a handler is installed.
void prepare_for_signals();
/// Gives the calling thread a stack for signal handlers on the first call: after an overflow its own has no room left.
void give_signals_a_stack();

/// "SIGSEGV (segmentation fault)"
std::string signal_text(int number);

}  // namespace gs::inline GS_FLAVOUR::detail
