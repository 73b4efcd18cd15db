#pragma once
// How the engine runs a kernel: blocks over the cores, the threads of a block as a loop that the compiler vectorises.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <tuple>

#include "runtime/core/config.h"
#include "runtime/engine/cores.h"
#include "runtime/engine/engine_queue.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/kernel/thread.h"

namespace gs::inline GS_FLAVOUR {

template <auto F, class... P>
class engine_launch final : public engine_task {
 public:
  engine_launch(const launch_options& options, P... parameters)
      : grid_(options.grid.as_index()), block_(options.block.as_index()), parameters_(parameters...) {}

  void run() override {
    const std::size_t blocks = std::size_t{grid_.x} * grid_.y * grid_.z;
    // Waking the other cores takes longer than a short kernel. A kernel that was short the last time starts on this
    // core alone, and the others are called only if it turns out to be long this time.
    static std::atomic<bool> was_short{false};
    const auto start = std::chrono::steady_clock::now();
    const auto is_short = [&] { return std::chrono::steady_clock::now() - start < short_time; };
    std::size_t done = 0;
    if (was_short.load(std::memory_order_relaxed))
      for (; done < blocks && is_short(); ++done) run_blocks(done, done + 1);
    for_pieces(blocks - done, 1, [&](std::size_t begin, std::size_t end) { run_blocks(done + begin, done + end); });
    was_short.store(is_short(), std::memory_order_relaxed);
  }

 private:
  static constexpr std::chrono::nanoseconds short_time{5000};

  void run_blocks(std::size_t begin, std::size_t end) const {
    for (std::size_t b = begin; b < end; ++b)
      run_block({static_cast<unsigned>(b % grid_.x), static_cast<unsigned>(b / grid_.x % grid_.y),
                 static_cast<unsigned>(b / grid_.x / grid_.y)});
  }

  // Everything the loop reads is a copy on the stack: stores through the kernel's views can't change it, so the
  // compiler keeps it in registers.
  void run_block(const index3 block_idx) const {
    const index3 block = block_, grid = grid_;
    std::apply(
        [&](const P... parameters) {
          for (unsigned z = 0; z < block.z; ++z)
            for (unsigned y = 0; y < block.y; ++y)
#pragma GCC ivdep
              for (unsigned x = 0; x < block.x; ++x) F(thread({x, y, z}, block_idx, block, grid), parameters...);
        },
        parameters_);
  }

  index3 grid_, block_;
  std::tuple<P...> parameters_;
};

template <auto F, class... P>
void launch_on_engine(const stream& on, const launch_options& options, P... parameters) {
  static_cast<engine_queue&>(on.work()).submit(std::make_unique<engine_launch<F, P...>>(options, parameters...));
}

}  // namespace gs::inline GS_FLAVOUR
