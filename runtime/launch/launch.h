#pragma once
// gs::launch: runs a kernel on the current device.

#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/ledger.h"
#include "runtime/device/timeline.h"
#include "runtime/kernel/kernel_argument.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/launch/dispatch.h"

namespace gs::inline GS_FLAVOUR {

/// How many blocks of `block` threads a cooperative launch of F may have on the current device, with `shared_bytes` of
/// dynamic shared memory each: as many as the device holds at once.
template <auto F>
std::size_t cooperative_limit(const extent3& block, std::size_t shared_bytes = 0) {
  return detail::cooperative_limit_on_device<F>(block, shared_bytes);
}

/// Queues the kernel F on a stream and returns at once. F is a function of one of two styles, `void F(gs::thread, ...)`
/// or `void F(gs::block<X, Y, Z>, ...)`; next come its shared memory, if it takes any, and its parameters: device
/// arrays where it takes views, scalars where it takes scalars.
///   gs::launch<add_kernel>({.grid = 30, .block = 128}, x, y, out);
/// Throws gs::error before anything runs if the configuration exceeds CUDA's limits or doesn't fit the kernel, if an
/// array has the wrong rank, was moved from or isn't the current device's. Wrong types don't compile. An exception
/// thrown inside a kernel on the engine, a barrier that can't open and a stack that overflows are thrown by the next
/// synchronize().
template <auto F, class... A>
void launch(const launch_options& asked, A&&... arguments) {
  using kernel = detail::kernel_signature<F>;
  static_assert(
      kernel::arguments == sizeof...(A),
      "launch<f>: the number of arguments differs from the kernel's parameters (after gs::thread or gs::block, "
      "and its shared memory)");
  launch_options options = asked;
  detail::kernel_needs needs{.name = kernel::types::name(),
                             .static_shared_bytes = kernel::static_shared_bytes,
                             .takes_dynamic_shared = kernel::has_dynamic,
                             .block_style = kernel::block_style};
  if constexpr (kernel::block_style)
    needs.block = {kernel::first::extent_x, kernel::first::extent_y, kernel::first::extent_z};
  detail::check_kernel_needs(options, needs);
  detail::check_launch(options, needs.name);
  const stream& on = options.stream.get();
  detail::check_stream(on);
  if (options.cooperative)
    detail::check_cooperative(options, needs.name, cooperative_limit<F>(options.block, options.shared_bytes));
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    constexpr std::size_t first = kernel::leading;
    static_assert((0 + ... + sizeof(typename kernel::template parameter<first + K>)) <= 4096,
                  "launch<f>: the kernel's parameters take more than 4 KiB, CUDA's limit: put large ones in an array");
    const auto start = [&](auto... parameters) {
      ledger_entry::launch();
      const detail::timeline_mark recorded(on, timeline_kind::launch, needs.name);
      detail::launch_on_device<F>(on, options, parameters...);
    };
    start(detail::kernel_argument<first + K, typename kernel::template parameter<first + K>>(arguments,
                                                                                             {needs.name, K + 1})...);
  }(std::make_index_sequence<sizeof...(A)>{});
}

/// Refuses a kernel among the arguments: it stands in angle brackets, launch<kernel>({...}, arrays...).
template <class F, class... A>
void launch(const launch_options&, const F&, A&&...) {
  static_assert(
      sizeof(F*) == 0,
      "launch: the kernel stands in angle brackets, launch<kernel>({...}, arrays...), and is a function with a "
      "name: nvcc can't make a kernel of a lambda");
}

}  // namespace gs::inline GS_FLAVOUR
