#pragma once
// The thread that a debugger stops at: GRIDSTRIDE_STEP.

#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/kernel/index3.h"

namespace gs::inline GS_FLAVOUR {

/// One thread of one block, of the named kernel or of any.
struct chosen_thread {
  std::string kernel;  ///< empty: of any kernel
  index3 block, thread;

  bool is(std::string_view kernel_name, const index3& block_idx, const index3& thread_idx) const {
    return block == block_idx && thread == thread_idx && (kernel.empty() || kernel == kernel_name);
  }
  bool operator==(const chosen_thread&) const = default;
};

/// Reads "block 3 thread 17" or, in three dimensions and shorter, "3,0,0:17,0,0"; a kernel's name may stand in front:
/// "add_kernel block 3 thread 17". Positions that are left out are 0. Throws gs::error for any other text.
chosen_thread parse_chosen_thread(std::string_view text);

/// What GRIDSTRIDE_STEP says; nullopt if it is unset or empty.
std::optional<chosen_thread> chosen_thread_from_environment();

}  // namespace gs::inline GS_FLAVOUR

/// Called before the chosen thread begins, and empty: a place for a breakpoint. From there `finish` and `step` lead
/// into the kernel, past the functions of the runtime:
///   GRIDSTRIDE_STEP='block 3 thread 17' gdb -ex 'set breakpoint pending on' -ex 'break gs_chosen_thread_begins'
///     -ex 'skip -gfi */runtime/*' -ex 'skip -gfi /usr/include/*' -ex run -ex finish -ex step PROGRAM
extern "C" void gs_chosen_thread_begins();
