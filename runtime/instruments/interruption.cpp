#include "runtime/instruments/interruption.h"

#include "runtime/engine/engine_queue.h"
#include "runtime/engine/last_kernel.h"
#include "runtime/instruments/monitor.h"

namespace gs::inline GS_FLAVOUR::detail {

bool interrupt_inspection() noexcept {
#if GRIDSTRIDE_CHECKED
  return instruments::monitor::instance().interrupt();
#else
  return false;
#endif
}

std::string_view running_kernel() noexcept {
  return engine_queue::running() > 0 ? last_kernel::name() : std::string_view();
}

pid_t thread_of_running_kernel() noexcept { return engine_queue::running() > 0 ? last_kernel::thread() : 0; }

}  // namespace gs::inline GS_FLAVOUR::detail
