#pragma once
// The thread that a debugger stops at: GRIDSTRIDE_STEP.

#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"

namespace gs::inline GS_FLAVOUR::detail {

/// One thread of one block, of the named kernel or of any.
struct chosen_thread {
  std::string kernel;  ///< with or without its namespace; empty: of any kernel
  index3 block, thread;

  bool is(std::string_view kernel_name, const index3& block_idx, const index3& thread_idx) const {
    return block == block_idx && thread == thread_idx &&
           (kernel.empty() || kernel == kernel_name || kernel_name.ends_with("::" + kernel));
  }
  bool operator==(const chosen_thread&) const = default;
};

/// Reads "block 3 thread 17" or, in three dimensions and shorter, "3,0,0:17,0,0"; a kernel's name may stand in front:
/// "add_kernel block 3 thread 17". Positions that are left out are 0. Throws gs::error for any other text.
chosen_thread parse_chosen_thread(std::string_view text);

/// What GRIDSTRIDE_STEP says; nullopt if it is unset or empty.
std::optional<chosen_thread> chosen_thread_from_environment();

}  // namespace gs::inline GS_FLAVOUR::detail

/// Called before the chosen thread begins, in block style each part of it, and empty: a place for a breakpoint. The
/// kernel is the next that its caller calls; runtime/instruments/README.md shows a session.
extern "C" void gs_chosen_thread_begins();

#if GRIDSTRIDE_CHECKED
namespace gs::inline GS_FLAVOUR::instruments {

/// The threads of a block are to begin on this thread of the system.
void look_for_chosen_thread(const std::optional<detail::chosen_thread>& chosen, std::string_view kernel,
                            const index3& block_idx, const index3& block_dim);
/// Whether thread `number` of that block is the chosen one.
bool is_chosen_thread(unsigned number);
/// Inlined, so that a debugger finds the kernel one frame above the breakpoint.
[[gnu::always_inline]] inline void stop_at_chosen_thread(unsigned number) {
  if (is_chosen_thread(number)) gs_chosen_thread_begins();
}

}  // namespace gs::inline GS_FLAVOUR::instruments
#endif
