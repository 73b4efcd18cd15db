#pragma once
// crash_handler: what a program in a sandbox still says when somebody's code in it brings it down.

#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <span>

namespace workshop {

struct crash {
  int signal;
  const siginfo_t& info;
  const ucontext_t& context;  ///< of the code that was stopped
  /// Where the code was whose crashes are told (tell_crashes_of), innermost first, as offsets in its program or
  /// library.
  std::span<const std::uint64_t> frames;
};

struct crash_handler {
  std::span<const int> signals;
  /// Called in the handler, once: no memory can be asked for. The program then ends with 128 + the signal. Should
  /// `report` crash itself, it is called once more.
  void (*report)(const crash&);
  /// Whether the signal is no matter of this thread's, which then goes on. Null: never.
  bool (*concerns_another)(int signal) = nullptr;
};

/// From now on. It works on a stack of its own, for the calling thread; what the engine does about its fibers comes
/// before it.
void install(const crash_handler& handler);

/// Whose code is named in a crash: the program's or library's that holds this address.
void tell_crashes_of(const void* code);

}  // namespace workshop
