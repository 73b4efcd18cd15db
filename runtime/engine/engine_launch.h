#pragma once
// A kernel as host code: the threads of a block are a loop that the compiler vectorises. kernel_work.h runs the blocks.

#include <atomic>
#include <cstddef>
#include <tuple>

#include "runtime/core/config.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/kernel_work.h"
#include "runtime/engine/split_loop.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"
#include "runtime/observe/chosen_thread.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/replay_marks.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The launch of F with these parameters, for any device that runs host code.
template <auto F, class... P>
class engine_launch final : public kernel_work {
  using kernel = kernel_signature<F>;

 public:
  explicit engine_launch(const launch_options& options, P... parameters)
      : kernel_work(facts_, options), parameters_(parameters...) {}

#if !GRIDSTRIDE_CHECKED
  [[gnu::cold]] void run_block_again(block_scheduler& scheduler, std::size_t number) const override {
    scheduler.begin_grid(grid_, block_);
    if constexpr (!kernel::block_style)
      run_block(scheduler, number);
    else if constexpr (has_replay_marks)
      run_marked_block(scheduler, number);
  }
#endif

 private:
  static constexpr std::size_t dynamic_offset = (kernel::static_shared_bytes + 15) / 16 * 16;
  static inline constinit kernel_facts facts_{.name = kernel::types::name(),
                                              .block_style = kernel::block_style,
                                              .has_threads = !kernel::block_style || has_replay_marks,
                                              .static_shared_bytes = kernel::static_shared_bytes,
                                              .parameter_bytes = (0 + ... + sizeof(P))};

  void run_blocks(block_scheduler& scheduler, block_scheduler::block_range& range) const override {
    scheduler.begin_grid(grid_, block_);
#if GRIDSTRIDE_SPLITS_BARRIERS
    if constexpr (!kernel::block_style) {
      static std::atomic<bool> is_split{true};  // as far as is known
      if (!cooperative_ && is_split.load(std::memory_order_relaxed)) {
        if (run_split_blocks(scheduler, range.next, range.end)) {
          range.next = range.end;
          return;
        }
        is_split.store(false, std::memory_order_relaxed);
      }
    }
#endif
    while (range.next < range.end) run_block(scheduler, range.next++);
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
    scheduler.begin_block(begin);
    return std::apply(
        [&](const P... parameters) {
          return run_split(
              kernel::types::name(), grid, block, begin, end,
              [=](const index3& block_idx, const index3& at) {
                kernel::call(thread(at, block_idx, block, grid, nullptr), memory, memory + dynamic_offset,
                             dynamic_bytes, parameters...);
              },
              [&](std::size_t bytes) { return scheduler.split_memory(bytes); }, scheduler.block_number());
        },
        parameters_);
  }
#endif

#if !GRIDSTRIDE_CHECKED
  // A block in block style, by code of its own, in which all that the kernel calls is inlined, and its marks stay.
  [[gnu::cold, gnu::noinline, gnu::noclone, gnu::flatten]] void run_marked_block(block_scheduler& scheduler,
                                                                                 std::size_t number) const {
    gridstride_replay_keeps_marks();
    scheduler.begin_block(number);
    std::byte* const memory = shared_memory(scheduler);
    std::apply(
        [&](const P... parameters) {
          kernel::call(typename kernel::first(position_in(grid_, number), grid_), memory, memory + dynamic_offset,
                       dynamic_bytes_, parameters...);
        },
        parameters_);
  }
#endif

  void run_block(block_scheduler& scheduler, std::size_t number) const override {
    const index3 grid = grid_, block = block_, block_idx = position_in(grid, number);
    scheduler.begin_block(number);
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
            instruments::enter_all_threads(kernel::first::threads);
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
              if (scheduler.has_order_of_its_own()) return scheduler.run_rest_of_loop(loop);
              for (unsigned z = 0; z < block.z; ++z)
                for (unsigned y = 0; y < block.y; ++y) {
                  GS_INDEPENDENT_TURNS
                  for (unsigned x = 0; x < block.x; ++x) {
                    if constexpr (atomics_tell_of_spinning)
                      loop.thread = static_cast<unsigned>(index3{x, y, z}.linear_in(block));
                    run_thread({x, y, z}, &loop);
                    if (loop.handed_over) return;
                  }
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

  std::tuple<P...> parameters_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
