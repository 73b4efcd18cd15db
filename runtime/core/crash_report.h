#pragma once
// crash_report: what a program still reports when a signal ends it.

#include <functional>

#include "runtime/core/config.h"
#include "runtime/core/fault_signal.h"

namespace gs::inline GS_FLAVOUR::detail {

/// While it lives, a signal that would end the program (an access violation, abort, an illegal instruction, ...) goes
/// to `report` first, and then the program ends with `status`. The crashed thread is stopped meanwhile, and `report`
/// runs on a thread of its own that was waiting for this: it may do what any code may, and use what was made before
/// the crash, since this thread needs none of the allocator's locks that the crashed one may hold. If `report` crashes
/// as well, or takes more than 20 s, one sentence on standard error has to do. One at a time. Signals raised by kernels
/// are the engine's (kernel_faults.h).
class crash_report {
 public:
  crash_report(std::function<void(const fault_signal&)> report, int status);
  ~crash_report();
  crash_report(const crash_report&) = delete;
  crash_report& operator=(const crash_report&) = delete;
};

/// For the handler of a signal from outside, such as Ctrl-C: passes it to the crash_report that lives, as if the
/// calling thread had crashed. `report` may end the program itself; otherwise it ends with `status`. Returns only if no
/// crash_report lives.
void report_as_crash(int signal) noexcept;

}  // namespace gs::inline GS_FLAVOUR::detail
