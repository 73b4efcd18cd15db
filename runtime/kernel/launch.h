#pragma once
// gs::launch: runs a kernel on the current device.

#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/ledger.h"
#include "runtime/core/signature.h"
#include "runtime/engine/engine_launch.h"
#include "runtime/kernel/kernel_argument.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"
#if defined(__CUDACC__)
#include "runtime/cuda/cuda_launch.h"
#endif

namespace gs::inline GS_FLAVOUR {

/// Queues the kernel F on a stream and returns at once. F is a function `void F(gs::thread, ...)`; what follows are its
/// parameters: device arrays where it takes views, scalars where it takes scalars.
///   gs::launch<add_kernel>({.grid = 30, .block = 128}, x, y, out);
/// Throws gs::error before anything runs if the configuration exceeds CUDA's limits, if an array has the wrong rank,
/// was moved from or isn't the current device's. Wrong types don't compile. An exception thrown inside a kernel on the
/// engine is thrown by the next synchronize().
template <auto F, class... A>
void launch(const launch_options& options, A&&... arguments) {
  static_assert(free_function<F>, "launch<f>: f must be a function");
  using types = signature<F>;
  static_assert(std::is_void_v<typename types::result>, "launch<f>: a kernel returns void; write results to an array");
  static_assert(types::arity >= 1 && std::is_same_v<typename types::template argument<0>, thread>,
                "launch<f>: a kernel's first parameter is gs::thread");
  static_assert(types::arity == sizeof...(A) + 1,
                "launch<f>: the number of arguments differs from the kernel's parameters (after gs::thread)");
  check_launch(options, types::name());
  const stream& on = options.stream.get();
  check_stream(on);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const auto start = [&](auto... parameters) {
      ledger_entry::launch();
      if (on.kind() == device_kind::engine) {
        launch_on_engine<F>(on, options, parameters...);
      } else {
#if defined(__CUDACC__)
        launch_on_cuda<F>(on, options, parameters...);
#else
        refuse_without_nvcc(types::name());
#endif
      }
    };
    start(kernel_argument<K + 1, typename types::template argument<K + 1>>(arguments)...);
  }
  (std::make_index_sequence<sizeof...(A)>{});
}

}  // namespace gs::inline GS_FLAVOUR
