#pragma once
// A launch: what `kernel<<<grid, block, shared bytes, stream>>>(arguments...)` becomes (dialect/rewrite/). The engine
// runs it as it runs gs::launch; runtime/engine/engine_launch.h is the model.

#include <atomic>
#include <cstddef>
#include <memory>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dialect/language/shared_probe.h"
#include "dialect/language/shared_variables.h"
#include "dialect/language/thread_marks.h"
#include "dialect/language/vector_types.h"
#include "dialect/runtime/errors.h"
#include "runtime/array/index.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/kernel_work.h"
#include "runtime/engine/split_loop.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/observe/chosen_thread.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/thread_loop.h"

struct CUstream_st;

namespace dialect {

/// What stands between `<<<` and `>>>`.
struct configuration {
  configuration(dim3 grid_extent, dim3 block_extent, std::size_t dynamic_bytes = 0, CUstream_st* on = nullptr,
                const std::source_location& at = std::source_location::current())
      : grid(grid_extent), block(block_extent), shared_bytes(dynamic_bytes), stream(on), place(at) {}

  dim3 grid, block;
  std::size_t shared_bytes;
  CUstream_st* stream;
  std::source_location place;
  bool cooperative = false;
  bool returns_error = false;  ///< the call that it is part of
};

namespace detail {

/// What the launches of a kernel share.
struct kernel_record {
  shared_layout layout;
};

/// Whether the launch may go on. If not, the error is noted, as cudaGetLastError() gives it.
bool check_configuration(const configuration& asked, const char* kernel, gs::launch_options& options);
/// Likewise for the kernel's parameter `number`, from 1, a pointer: the device must have that memory.
bool check_pointer(const void* pointer, const char* kernel, unsigned number);
/// The launch begins; it couldn't be queued.
void begin_launch(const configuration& asked);
void fail_launch(const configuration& asked, const char* kernel);
/// Why the last launch of this thread couldn't be queued.
cudaError_t launch_error();
/// Queues the work on the stream, and returns whether it could.
bool submit(CUstream_st* stream, const char* kernel, std::unique_ptr<gs::detail::kernel_work> work);

template <class P>
bool check_parameter([[maybe_unused]] const P& value, [[maybe_unused]] const char* kernel,
                     [[maybe_unused]] unsigned number) {
  if constexpr (std::is_pointer_v<P> && !std::is_function_v<std::remove_pointer_t<P>>)
    return check_pointer(const_cast<const void*>(static_cast<const volatile void*>(value)), kernel, number);
  else
    return true;
}

/// The plugin takes the numbers of threads along the grid for ones that don't wrap around, be they int or unsigned.
constexpr unsigned most_threads_along_grid = 0x7fffffff - gs::detail::most_threads_per_block;

/// The launch of a kernel: `Kernel` is called with the parameters, once for each thread.
template <class Kernel, class... P>
class cuda_launch final : public gs::detail::kernel_work {
  using block_scheduler = gs::detail::block_scheduler;
  using index3 = gs::index3;

 public:
  cuda_launch(const gs::launch_options& options, const char* name, Kernel kernel, P... parameters)
      : kernel_work(facts(name), options), kernel_(kernel), parameters_(parameters...) {
    record.layout.reserve_dynamic(options.shared_bytes);
#if GRIDSTRIDE_CHECKED
    probe_shared_bytes(record.layout, [this, name] {
      auto& scheduler = block_scheduler::of_this_thread();
      const auto work = [&] {
        scheduler.begin_grid(grid_, block_);
        run_block(scheduler, 0);
      };
      scheduler.run(name, work);
    });
#endif
    variables_bytes_ = record.layout.bytes();
    facts(name).static_shared_bytes = variables_bytes_;
  }

#if !GRIDSTRIDE_CHECKED
  [[gnu::cold]] void run_block_again(block_scheduler& scheduler, std::size_t number) const override {
    scheduler.begin_grid(grid_, block_);
    run_block(scheduler, number);
  }
#endif

 private:
  static inline kernel_record record;
  static kernel_facts& facts(const char* name) {
    static kernel_facts of_kernel{.name = name,
                                  .block_style = false,
                                  .has_threads = true,
                                  .static_shared_bytes = 0,
                                  .parameter_bytes = (std::size_t{0} + ... + sizeof(P))};
    return of_kernel;
  }

  // The instruments look for variables before what the launch asked for. Elsewhere these come behind it: how many they
  // are is known only when the kernel has run.
#if GRIDSTRIDE_CHECKED
  static std::byte* variables_in(std::byte* memory) { return memory; }
  std::byte* dynamic_in(std::byte* memory) const { return memory + (variables_bytes_ + 15) / 16 * 16; }
#else
  std::byte* variables_in(std::byte* memory) const { return memory + (dynamic_bytes_ + 15) / 16 * 16; }
  static std::byte* dynamic_in(std::byte* memory) { return memory; }
#endif

  void run_blocks(block_scheduler& scheduler, block_scheduler::block_range& range) const override {
    scheduler.begin_grid(grid_, block_);
#if GRIDSTRIDE_SPLITS_BARRIERS
    static std::atomic<bool> is_split{true};  // as far as is known
    if (!cooperative_ && is_split.load(std::memory_order_relaxed)) {
      if (run_split_blocks(scheduler, range.next, range.end)) {
        range.next = range.end;
        return;
      }
      is_split.store(false, std::memory_order_relaxed);
    }
#endif
    while (range.next < range.end) run_block(scheduler, range.next++);
  }

#if GRIDSTRIDE_SPLITS_BARRIERS
  bool run_split_blocks(block_scheduler& scheduler, std::size_t begin, std::size_t end) const {
    const index3 grid = grid_, block = block_;
    std::byte *const memory = scheduler.shared_memory(), *const variables = variables_in(memory),
                     *const dynamic = dynamic_in(memory);
    const Kernel kernel = kernel_;
    scheduler.begin_block(begin);
    return std::apply(
        [&](const P... parameters) {
          return gs::detail::run_split(
              name(), grid, block, begin, end,
              [=](const index3& block_idx, const index3& at) {
                gridstride_cuda_begin(nullptr, variables, dynamic, &record.layout, at.x, at.y, at.z, block_idx.x,
                                      block_idx.y, block_idx.z, block.x, block.y, block.z, grid.x, grid.y, grid.z);
                kernel(parameters...);
              },
              [&](std::size_t bytes) { return scheduler.split_memory(bytes); }, scheduler.block_number());
        },
        parameters_);
  }
#endif

  [[gnu::flatten]] void run_block(block_scheduler& scheduler, std::size_t number) const override {
    const index3 grid = grid_, block = block_, block_idx = gs::detail::position_in(grid, number);
    scheduler.begin_block(number);
#if GRIDSTRIDE_CHECKED
    gs::instruments::enter_block(number, false);
    gs::instruments::look_for_chosen_thread(chosen_, name(), block_idx, block);
#endif
    std::byte *const memory = scheduler.shared_memory(), *const variables = variables_in(memory),
                     *const dynamic = dynamic_in(memory);
    const Kernel kernel = kernel_;
    const unsigned width = block.x;  // which no other function knows: it stays what it is
    if (width > gs::detail::most_threads_per_block) __builtin_unreachable();
    std::apply(
        [&, width](const P... parameters) {
          const auto run_thread = [=](const index3& at, gs::detail::thread_loop* loop) {
#if GRIDSTRIDE_CHECKED
            const auto thread = static_cast<unsigned>(at.linear_in(block));
            const gs::instruments::thread_scope watched(thread);
            gs::instruments::stop_at_chosen_thread(thread);
#endif
            gridstride_cuda_begin(loop, variables, dynamic, &record.layout, at.x, at.y, at.z, block_idx.x, block_idx.y,
                                  block_idx.z, block.x, block.y, block.z, grid.x, grid.y, grid.z);
            kernel(parameters...);
          };
          const auto whole_loop = [&, width](gs::detail::thread_loop& loop) {
            if (scheduler.has_order_of_its_own()) return scheduler.run_rest_of_loop(loop);
            for (unsigned z = 0; z < block.z; ++z)
              for (unsigned y = 0; y < block.y; ++y) {
                GS_INDEPENDENT_TURNS
                for (unsigned x = 0; x < width; ++x) {
                  run_thread({x, y, z}, &loop);
                  if (loop.handed_over) return;
                }
              }
          };
          const auto threads = static_cast<unsigned>(block.size());
          scheduler.run_block(threads, cooperative_, whole_loop, [&](gs::detail::thread_loop& loop, unsigned thread) {
            run_thread(gs::detail::position_in(block, thread), &loop);
          });
        },
        parameters_);
  }

  Kernel kernel_;
  std::tuple<P...> parameters_;
  std::size_t variables_bytes_ = 0;  // as far as they were known when the launch was made
};

/// Returns whether it was queued. If not, the error is noted.
template <class Kernel, class... P>
bool launch(const configuration& asked, const char* name, Kernel kernel, P... parameters) {
  begin_launch(asked);
  gs::launch_options options;
  [[maybe_unused]] unsigned number = 0;
  const bool is_queued =
      check_configuration(asked, name, options) && (check_parameter(parameters, name, ++number) && ...) &&
      submit(asked.stream, name,
             std::make_unique<cuda_launch<Kernel, P...>>(options, name, kernel, std::move(parameters)...));
  if (!is_queued) fail_launch(asked, name);
  return is_queued;
}

/// Calls the function F.
template <auto F>
struct function_kernel {
  template <class... P>
  [[gnu::always_inline]] void operator()(P&&... parameters) const {
    F(parameters...);
  }
};

template <class Kernel>
struct launch_of_callable {
  configuration asked;
  const char* name;
  Kernel kernel;

  template <class... A>
  void operator()(A... arguments) const {
    launch<Kernel, A...>(asked, name, kernel, std::move(arguments)...);
  }
};

template <auto F, class Signature>
struct launch_of_function;
template <auto F, class... P>
struct launch_of_function<F, void (*)(P...)> {
  configuration asked;
  const char* name;

  void operator()(P... arguments) const { launch<function_kernel<F>, P...>(asked, name, {}, std::move(arguments)...); }
  /// By the addresses of the arguments.
  bool operator()(void* const* addresses) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return launch<function_kernel<F>, P...>(asked, name, {}, *static_cast<std::remove_const_t<P>*>(addresses[I])...);
    }(std::index_sequence_for<P...>());
  }
};

}  // namespace detail

/// For a kernel that is one function: its arguments are converted to its parameters where it is launched.
template <auto F>
auto configured(const char* name, const configuration& asked) {
  return detail::launch_of_function<F, decltype(F)>{asked, name};
}
/// For a kernel that is a template, or has other functions of its name: `kernel(arguments...)` calls the one that is
/// meant.
template <class Kernel>
auto configured(const char* name, const configuration& asked, Kernel kernel) {
  return detail::launch_of_callable<Kernel>{asked, name, kernel};
}

/// What a call of cudaLaunchKernel() or cudaLaunchCooperativeKernel() becomes (dialect/rewrite/): F is the function
/// whose address stood there, and `addresses` leads to its arguments.
template <auto F>
cudaError_t launch_function(const char* name, bool cooperative, dim3 grid, dim3 block, void** addresses,
                            std::size_t dynamic_bytes = 0, CUstream_st* on = nullptr,
                            const std::source_location& at = std::source_location::current()) {
  configuration asked(grid, block, dynamic_bytes, on, at);
  asked.cooperative = cooperative;
  asked.returns_error = true;
  const bool is_queued = detail::launch_of_function<F, decltype(F)>{asked, name}(addresses);
  const cudaError_t result = is_queued ? cudaSuccess : detail::launch_error();
  end_call(result);
  return result;
}

}  // namespace dialect
