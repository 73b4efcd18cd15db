#pragma once
// How the engine runs a kernel: blocks over the cores, the threads of a block as a loop that the compiler vectorises.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/cooperative_grid.h"
#include "runtime/engine/cores.h"
#include "runtime/engine/engine_queue.h"
#include "runtime/engine/split_loop.h"
#include "runtime/engine/streaming_store.h"
#include "runtime/instruments/chosen_thread.h"
#include "runtime/instruments/observe.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"

namespace gs::inline GS_FLAVOUR {

template <auto F, class... P>
class engine_launch final : public engine_task {
  using kernel = kernel_signature<F>;

 public:
  engine_launch(const launch_options& options, P... parameters)
      : grid_(options.grid.as_index()),
        block_(options.block.as_index()),
        dynamic_bytes_(options.shared_bytes),
        cooperative_(options.cooperative),
#if GRIDSTRIDE_CHECKED
        where_(options.where),
#endif
        parameters_(parameters...) {
  }

  void run() override {
#if GRIDSTRIDE_CHECKED
    const instruments::launch_scope watched({.kernel = kernel::types::name(),
                                             .grid = grid_,
                                             .block = block_,
                                             .static_shared_bytes = kernel::static_shared_bytes,
                                             .dynamic_shared_bytes = dynamic_bytes_,
                                             .parameter_bytes = (0 + ... + sizeof(P)),
                                             .cooperative = cooperative_,
                                             .where = where_});
    chosen_ = chosen_thread_from_environment();
    if ((instruments::watching() || chosen_) && !cooperative_) return run_grid_in_order();
#endif
    if (cooperative_)
      run_cooperative_grid(kernel::types::name(), grid_.size(),
                           [&](block_scheduler& scheduler, std::size_t b) { run_block(scheduler, b); });
    else
      run_grid();
  }

 private:
  static constexpr std::size_t dynamic_offset = (kernel::static_shared_bytes + 15) / 16 * 16;
  static constexpr std::chrono::nanoseconds short_time{5000};
  static constexpr std::size_t most_before_a_look = 8;  // blocks, at the clock; an empty one costs less than the look

  void run_grid() const {
    const std::size_t blocks = grid_.size();
    // Waking the other cores takes longer than a short kernel. A kernel that was short the last time starts on this
    // core alone, and the others are called only if it turns out to be long this time.
    static std::atomic<bool> was_short{false};
    const auto start = std::chrono::steady_clock::now();
    const auto is_short = [&] { return std::chrono::steady_clock::now() - start < short_time; };
    std::size_t done = 0;
    if (was_short.load(std::memory_order_relaxed))
      on_scheduler([&](block_scheduler& scheduler) {
        while (done < blocks && is_short()) {
          const std::size_t some = std::clamp<std::size_t>(done, 1, std::min(most_before_a_look, blocks - done));
          run_blocks(scheduler, done, done + some);
          done += some;
        }
      });
    for_pieces(blocks - done, 1, [&](std::size_t begin, std::size_t end) {
      on_scheduler([&](block_scheduler& scheduler) { run_blocks(scheduler, done + begin, done + end); });
    });
    was_short.store(is_short(), std::memory_order_relaxed);
  }

#if GRIDSTRIDE_CHECKED
  // Block after block, for instruments and debuggers. One that stops because of a finding doesn't stop the others.
  void run_grid_in_order() const {
    for (std::size_t b = 0; b < grid_.size(); ++b) {
      try {
        on_scheduler([&](block_scheduler& scheduler) { run_block(scheduler, b); });
      } catch (const instruments::block_stopped&) {
      }
    }
  }
#endif

  template <class Work>
  void on_scheduler(const Work& work) const {
    block_scheduler& scheduler = block_scheduler::of_this_thread();
    scheduler.run(kernel::types::name(), [&] {
      work(scheduler);
      if constexpr (kernel::block_style) streaming_fence();  // block.store
    });
  }

  void run_blocks(block_scheduler& scheduler, std::size_t begin, std::size_t end) const {
#if GRIDSTRIDE_SPLITS_BARRIERS
    if constexpr (!kernel::block_style) {
      static std::atomic<bool> is_split{true};  // as far as is known
      if (!cooperative_ && is_split.load(std::memory_order_relaxed)) {
        if (run_split_blocks(scheduler, begin, end)) return;
        is_split.store(false, std::memory_order_relaxed);
      }
    }
#endif
    for (std::size_t b = begin; b < end; ++b) run_block(scheduler, b);
  }

  static std::byte* shared_memory(block_scheduler& scheduler) {
    if constexpr (kernel::leading > 1)
      return scheduler.shared_memory();
    else
      return nullptr;
  }

  // In both of the next, everything that the loops read is a copy on the stack: stores through the kernel's views can't
  // change it, so the compiler keeps it in registers.

#if GRIDSTRIDE_SPLITS_BARRIERS
  bool run_split_blocks(block_scheduler& scheduler, std::size_t begin, std::size_t end) const {
    const index3 grid = grid_, block = block_;
    std::byte* const memory = shared_memory(scheduler);
    const std::size_t dynamic_bytes = dynamic_bytes_;
    return std::apply(
        [&](const P... parameters) {
          return run_split(
              kernel::types::name(), grid, block, begin, end,
              [=](const index3& block_idx, const index3& at) {
                kernel::call(thread(at, block_idx, block, grid, nullptr), memory, memory + dynamic_offset,
                             dynamic_bytes, parameters...);
              },
              [&](std::size_t bytes) { return scheduler.split_memory(bytes); });
        },
        parameters_);
  }
#endif

  void run_block(block_scheduler& scheduler, std::size_t number) const {
    const index3 grid = grid_, block = block_, block_idx = position_in(grid, number);
#if GRIDSTRIDE_CHECKED
    instruments::enter_block(number, false);
    instruments::look_for_chosen_thread(chosen_, kernel::types::name(), block_idx, block);
#endif
    std::byte* const memory = shared_memory(scheduler);
    const std::size_t dynamic_bytes = dynamic_bytes_;
    std::apply(
        [&](const P... parameters) {
          if constexpr (kernel::block_style) {
#if GRIDSTRIDE_CHECKED
            const instruments::thread_scope outside_of_each(0);
#endif
            kernel::call(typename kernel::first(block_idx, grid), memory, memory + dynamic_offset, dynamic_bytes,
                         parameters...);
          } else {
            const auto run_thread = [=](const index3& at, thread_loop* loop) {
#if GRIDSTRIDE_CHECKED
              const auto number = static_cast<unsigned>(at.linear_in(block));
              const instruments::thread_scope watched(number);
              instruments::stop_at_chosen_thread(number);
#endif
              kernel::call(thread(at, block_idx, block, grid, loop), memory, memory + dynamic_offset, dynamic_bytes,
                           parameters...);
            };
            const auto whole_loop = [&](thread_loop& loop) {
              for (unsigned z = 0; z < block.z; ++z)
                for (unsigned y = 0; y < block.y; ++y)
#pragma GCC ivdep
                  for (unsigned x = 0; x < block.x; ++x) {
                    run_thread({x, y, z}, &loop);
                    if (loop.handed_over) return;
                  }
            };
            const auto threads = static_cast<unsigned>(block.size());
            scheduler.run_block(threads, cooperative_, whole_loop, [&](thread_loop& loop, unsigned number) {
              run_thread(position_in(block, number), &loop);
            });
          }
        },
        parameters_);
  }

  index3 grid_, block_;
  std::size_t dynamic_bytes_;
  bool cooperative_;
#if GRIDSTRIDE_CHECKED
  std::source_location where_;
  std::optional<chosen_thread> chosen_;
#endif
  std::tuple<P...> parameters_;
};

template <auto F, class... P>
void launch_on_engine(const stream& on, const launch_options& options, P... parameters) {
  static_cast<engine_queue&>(on.work()).submit(std::make_unique<engine_launch<F, P...>>(options, parameters...));
}

}  // namespace gs::inline GS_FLAVOUR
