#pragma once
// crash_report: what a program still says when a signal ends it.

#include <functional>

#include "runtime/core/config.h"
#include "runtime/core/fault_signal.h"

namespace gs::inline GS_FLAVOUR {

/// While it lives, a signal that would end the program (an access violation, abort, an illegal instruction, ...) is
/// told to `report` first, and the program then ends with `status`. What has crashed stands still meanwhile, and
/// `report` runs on a thread that has waited for it: it may do what any code may, also with what was made before the
/// crash, since the memory's locks that the crashed thread may hold aren't its own. Should it crash as well, or take
/// more than 20 s, one sentence on standard error has to do. One at a time. Signals of kernels are the engine's
/// (kernel_faults.h).
class crash_report {
 public:
  crash_report(std::function<void(const fault_signal&)> report, int status);
  ~crash_report();
  crash_report(const crash_report&) = delete;
  crash_report& operator=(const crash_report&) = delete;
};

/// For the handler of a signal that comes from outside, as Ctrl-C does: the crash_report that lives is told of it, as
/// if the calling thread had crashed. `report` ends the program as it should end, or else `status` does. Returns only
/// if there is nobody to report.
void report_as_crash(int signal) noexcept;

}  // namespace gs::inline GS_FLAVOUR
