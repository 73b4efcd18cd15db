#pragma once
// Which system call the filter refused, read from the signal SIGSYS.

#include <linux/audit.h>
#include <signal.h>

#include <cstdint>

namespace workshop {

/// Bit set in refused_call()'s result if the call was made by the i386 (int 0x80) or x32 interface, whose calls are
/// numbered differently.
inline constexpr std::uint64_t call_of_other_architecture = std::uint64_t{1} << 32;

/// The call's number. Safe to call in a signal handler.
inline std::uint64_t refused_call(const siginfo_t& info) {
  const auto number = static_cast<std::uint32_t>(info.si_syscall);
#if defined(__x86_64__)
  constexpr std::uint32_t x32 = std::uint32_t{1} << 30;
  if (info.si_arch != AUDIT_ARCH_X86_64 || (number & x32) != 0) return call_of_other_architecture | number;
#elif defined(__aarch64__)
  if (info.si_arch != AUDIT_ARCH_AARCH64) return call_of_other_architecture | number;
#endif
  return number;
}

}  // namespace workshop
