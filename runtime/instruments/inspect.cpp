#include "runtime/instruments/inspect.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/monitor.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// And what it has queued. Returns what was thrown first; null if nothing was.
std::exception_ptr run_to_the_end(detail::function_ref<void()> body) {
  std::exception_ptr failure;
  const auto attempt = [&](auto&& step) {
    try {
      step();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  attempt(body);
  attempt([] { synchronize(); });
  return failure;
}

}  // namespace

#if GRIDSTRIDE_CHECKED

bool can_inspect() { return true; }

inspection inspect(detail::function_ref<void()> body, const inspect_options& options) {
  using instruments::monitor;
  monitor& watch = monitor::instance();
  if (watch.running())
    throw error("gs::inspect", "an inspection is running already", "call it once, around everything to be inspected");
  if (current_device() != device_kind::engine)
    throw error("gs::inspect", "the current device is " + to_string(current_device()),
                "inspect on the engine: GRIDSTRIDE_TARGET=engine");
  model_of(options.model);  // refuses what it doesn't know
  synchronize();
  watch.start(options);
  const ledger_scope scope;
  const std::exception_ptr failure = run_to_the_end(body);
  inspection result = watch.stop();
  result.failure = failure;
  std::uint64_t kernels = 0;
  for (const kernel_counters& one : result.kernels) kernels += one.launches;
  result.ufunc_calls = scope.account().launches - std::min(scope.account().launches, kernels);
  return result;
}

namespace detail {

inspection inspection_so_far() {
  instruments::monitor& watch = instruments::monitor::instance();
  return watch.running() ? watch.so_far() : inspection();
}

}  // namespace detail

#else

namespace detail {

inspection inspection_so_far() { return {}; }

}  // namespace detail

bool can_inspect() { return false; }

inspection inspect(detail::function_ref<void()> body, const inspect_options& options) {
  if (options.instruments.any() || options.counters)
    throw error("gs::inspect", "this program is the plain flavour, which observes nothing",
                "build it with GRIDSTRIDE_CHECKED=1 (preset checked), or use ./gridstride inspect");
  inspection nothing_seen;
  nothing_seen.failure = run_to_the_end(body);
  return nothing_seen;
}

#endif

}  // namespace gs::inline GS_FLAVOUR
