#pragma once
// crash_handler: how a sandboxed program reports a crash of somebody's code before it ends.

#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <span>

namespace workshop {

struct crash {
  int signal;
  const siginfo_t& info;
  const ucontext_t& context;  ///< of the code that was stopped
  /// The frames in the code of tell_crashes_of(), innermost first, as offsets in its program or library.
  std::span<const std::uint64_t> frames;
};

struct crash_handler {
  std::span<const int> signals;
  /// Called once, in the handler: it must not allocate. The program then ends with 128 + the signal. If `report` itself
  /// crashes, it is called once more.
  void (*report)(const crash&);
  /// Whether the signal is meant for another thread, so that this one goes on. Null: never.
  bool (*concerns_another)(int signal) = nullptr;
};

/// Installs it. For the calling thread, the handler runs on a stack of its own. The engine's handler for its fibers
/// runs first.
void install(const crash_handler& handler);

/// Crashes are reported by their frames in the program or library that holds this address.
void tell_crashes_of(const void* code);

}  // namespace workshop
