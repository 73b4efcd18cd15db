#pragma once
// What the signal SIGSYS tells of a system call that the filter refused.

#include <linux/audit.h>
#include <signal.h>

#include <cstdint>

namespace workshop {

/// Set in what refused_call() returns if it was made as programs for i386 (int 0x80) or x32 do, whose calls have other
/// numbers.
inline constexpr std::uint64_t call_of_other_architecture = std::uint64_t{1} << 32;

/// The call's number. Can be called in a signal handler.
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
