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
#include "runtime/engine/engine_queue.h"
#include "runtime/engine/spinning_grid.h"
#include "runtime/engine/split_loop.h"
#include "runtime/host/cores.h"
#include "runtime/host/streaming_store.h"
#include "runtime/kernel/kernel_signature.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"
#include "runtime/observe/chosen_thread.h"
#include "runtime/observe/observe.h"

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
    const instruments::launch_description launch{.kernel = kernel::types::name(),
                                                 .grid = grid_,
                                                 .block = block_,
                                                 .static_shared_bytes = kernel::static_shared_bytes,
                                                 .dynamic_shared_bytes = dynamic_bytes_,
                                                 .parameter_bytes = (0 + ... + sizeof(P)),
                                                 .cooperative = cooperative_,
                                                 .where = where_};
    chosen_ = chosen_thread_from_environment();
    if (instruments::watching())
      return instruments::observe_launch(launch, [&] {
        if (instruments::runs_again()) chosen_.reset();
        cooperative_ ? run_cooperatively() : run_grid_in_order();
      });
    if (chosen_ && !cooperative_) return run_grid_in_order();
#endif
    if (cooperative_)
      run_cooperatively();
    else
      run_grid();
  }

#if !GRIDSTRIDE_CHECKED
  bool has_threads() const override { return !kernel::block_style || has_replay_marks; }
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
  static constexpr std::chrono::nanoseconds short_time{5000};
  static constexpr std::size_t most_before_a_look = 8;  // blocks, at the clock; an empty one costs less than the look

  void run_cooperatively() const {
    run_cooperative_grid(kernel::types::name(), grid_.size(), [&](block_scheduler& scheduler, std::size_t b) {
      scheduler.begin_grid(grid_, block_);
      run_block(scheduler, b);
    });
  }

  void run_grid() const {
    const std::size_t blocks = grid_.size();
    // Waking the other cores takes longer than a short kernel. A kernel that was short the last time starts on this
    // core alone, and the others are called only if it turns out to be long this time.
    static std::atomic<bool> was_short{false};
    const auto start = std::chrono::steady_clock::now();
    const auto is_short = [&] { return std::chrono::steady_clock::now() - start < short_time; };
    const auto run_for_a_while = [&](block_scheduler& scheduler, block_scheduler::block_range& range) {
      while (range.next < blocks && !range.set_aside && is_short()) {
        range.end =
            range.next + std::clamp<std::size_t>(range.next, 1, std::min(most_before_a_look, blocks - range.next));
        run_blocks(scheduler, range);
      }
      after_blocks();
    };
    const auto run_all = [&](block_scheduler& scheduler, block_scheduler::block_range& range) {
      run_blocks(scheduler, range);
      after_blocks();
    };
    spinning_grid grid(kernel::types::name(), block_.size());
    const std::size_t done = was_short.load(std::memory_order_relaxed) ? grid.run(0, 0, run_for_a_while) : 0;
    for_pieces(blocks - done, 1,
               [&](std::size_t begin, std::size_t end) { grid.run_all(done + begin, done + end, run_all); });
    grid.finish();
    was_short.store(is_short(), std::memory_order_relaxed);
  }

#if GRIDSTRIDE_CHECKED
  // Block after block, for instruments and debuggers. One that stops because of a finding doesn't stop the others.
  void run_grid_in_order() const {
    const auto run_one = [this](block_scheduler& scheduler, block_scheduler::block_range& range) {
      scheduler.begin_grid(grid_, block_);
      run_block(scheduler, range.next++);
      after_blocks();
    };
    spinning_grid grid(kernel::types::name(), block_.size());
    for (std::size_t turn = 0; turn < grid_.size() && !instruments::given_up(); ++turn) {
      const std::size_t b = instruments::whose_turn(turn, grid_.size());
      try {
        grid.run_all(b, b + 1, run_one);
      } catch (const instruments::block_stopped&) {
      }
    }
    if (!instruments::given_up()) grid.finish();
  }
#endif

  static void after_blocks() {
    if constexpr (kernel::block_style) streaming_fence();  // block.store
  }

  // From the range's next block to its end, which comes earlier if a block is set aside.
  void run_blocks(block_scheduler& scheduler, block_scheduler::block_range& range) const {
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

  void run_block(block_scheduler& scheduler, std::size_t number) const {
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
