#pragma once
// Which device gets a piece of work, and in what form. Devices that run host code are handed it with its types erased
// (runtime/device/host_work.h). A device with a compiler of its own needs the types: this header hands them on, and
// nothing else outside of such a device's folder names it.

#include <cstddef>
#include <memory>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/device/device.h"
#include "runtime/device/host_work.h"
#include "runtime/device/stream.h"
#include "runtime/engine/engine_launch.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"
#if defined(__CUDACC__)
#include "runtime/cuda/cuda_execute.h"
#include "runtime/cuda/cuda_launch.h"
#endif

namespace gs::inline GS_FLAVOUR::detail {

/// How many blocks of `block` threads with `shared_bytes` of dynamic shared memory each a cooperative launch of F may
/// have on the current device.
template <auto F>
std::size_t cooperative_limit_on_device(const extent3& block, [[maybe_unused]] std::size_t shared_bytes) {
#if defined(__CUDACC__)
  if (current_device() == device_kind::cuda) return cooperative_limit_on_cuda<F>(block, shared_bytes);
#endif
  const backend& hardware = device_context::current().hardware();
  return hardware.cooperative_threads(kernel_signature<F>::types::name()) / block.as_index().size();
}

/// Queues a launch of F on the stream.
template <auto F, class... P>
void launch_on_device(const stream& on, const launch_options& options, P... parameters) {
#if defined(__CUDACC__)
  if (on.kind() == device_kind::cuda) return launch_on_cuda<F>(on, options, parameters...);
#endif
  on.work().submit(std::make_unique<engine_launch<F, P...>>(options, parameters...));
}

/// Queues a piece of array work (runtime/ufunc/execute.h) on the stream; host code runs it by `run_items(begin, end)`.
template <class Work, class RunItems>
void execute_on_device(const stream& on, std::string_view name, const Work& work, RunItems run_items) {
#if defined(__CUDACC__)
  if (on.kind() == device_kind::cuda) return execute_on_cuda(on.work(), work);
#endif
  on.work().submit(make_host_work(name, work.size(), [work, run_items](spread_function spread) {
    spread(work.size(), work.grain(), [&](std::size_t begin, std::size_t end) { run_items(work, begin, end); });
  }));
}

}  // namespace gs::inline GS_FLAVOUR::detail
