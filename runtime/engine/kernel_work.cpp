#include "runtime/engine/kernel_work.h"

#include <algorithm>
#include <chrono>

#include "runtime/engine/cooperative_grid.h"
#include "runtime/engine/spinning_grid.h"
#include "runtime/host/streaming_store.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::chrono::nanoseconds short_time{5000};
constexpr std::size_t most_before_a_look = 8;  // blocks, at the clock; an empty one costs less than the look

}  // namespace

void kernel_work::run(spread_function spread) {
#if GRIDSTRIDE_CHECKED
  const instruments::launch_description launch{.kernel = kernel_.name,
                                               .grid = grid_,
                                               .block = block_,
                                               .static_shared_bytes = kernel_.static_shared_bytes,
                                               .dynamic_shared_bytes = dynamic_bytes_,
                                               .parameter_bytes = kernel_.parameter_bytes,
                                               .cooperative = cooperative_,
                                               .where = where_};
  chosen_ = chosen_thread_from_environment();
  if (instruments::watching())
    return instruments::observe_launch(launch, [&] {
      if (instruments::runs_again()) chosen_.reset();
      cooperative_ ? run_cooperatively(spread) : run_grid_in_order(spread);
    });
  if (chosen_ && !cooperative_) return run_grid_in_order(spread);
#endif
  if (cooperative_)
    run_cooperatively(spread);
  else
    run_grid(spread);
}

void kernel_work::run_one_block(block_scheduler& scheduler, std::size_t number) const {
  scheduler.begin_grid(grid_, block_);
  run_block(scheduler, number);
}

void kernel_work::run_cooperatively(spread_function spread) const {
  run_cooperative_grid(kernel_.name, grid_.size(), spread,
                       [this](block_scheduler& scheduler, std::size_t b) { run_one_block(scheduler, b); });
}

void kernel_work::run_grid(spread_function spread) const {
  const std::size_t blocks = grid_.size();
  // Waking the other cores takes longer than a short kernel. A kernel that was short the last time starts on this core
  // alone, and the others are called only if it turns out to be long this time.
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
  spinning_grid grid(kernel_.name, block_.size(), spread);
  const std::size_t done = kernel_.was_short.load(std::memory_order_relaxed) ? grid.run(0, 0, run_for_a_while) : 0;
  if (done < blocks)
    spread(blocks - done, 1,
           [&](std::size_t begin, std::size_t end) { grid.run_all(done + begin, done + end, run_all); });
  grid.finish();
  kernel_.was_short.store(is_short(), std::memory_order_relaxed);
}

#if GRIDSTRIDE_CHECKED
// Block after block, for instruments and debuggers. One that stops because of a finding doesn't stop the others.
void kernel_work::run_grid_in_order(spread_function spread) const {
  const auto run_one = [this](block_scheduler& scheduler, block_scheduler::block_range& range) {
    run_one_block(scheduler, range.next++);
    after_blocks();
  };
  spinning_grid grid(kernel_.name, block_.size(), spread);
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

void kernel_work::after_blocks() const {
  if (kernel_.block_style) streaming_fence();  // block.store
}

}  // namespace gs::inline GS_FLAVOUR::detail
