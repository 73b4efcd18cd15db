#pragma once
// crash_place: the learner's line that a piece of a module's code was compiled from.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "runtime/instruments/results/finding.h"
#include "workshop/sandbox.h"

namespace workshop {

/// `frames` are offsets in the module, innermost first, 0 for none. The result is the innermost one in the source's own
/// file, found by binutils' addr2line, which reads the stranger's module in a sandbox. Line 0 if there is none.
gs::source_place crash_place(const std::filesystem::path& module, std::span<const std::uint64_t> frames,
                             isolation level, unsigned slot);

/// What `addr2line -a -i -f` says of code in the module, run in a sandbox.
std::string lines_of_code(const std::filesystem::path& module, std::span<const std::uint64_t> offsets, isolation level,
                          unsigned slot);

/// "segmentation fault", "floating-point exception": what the C library calls a signal; "signal 77" if it has no name.
std::string signal_name(int signal);

/// For a program that was ended by SIGKILL.
inline constexpr const char* killed_text = "It was killed (SIGKILL), as the system does when memory runs out.";

/// The purpose of a refused system call: "start another process", "open a socket"; "use system call 321" for others.
std::string purpose_of_call(std::uint64_t call);

}  // namespace workshop
