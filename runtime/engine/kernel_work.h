#pragma once
// kernel_work: a launch as host code, without the kernel's types: which of its blocks run when, on which threads.
// engine_launch.h has the types, and runs the threads of a block.

#include <atomic>
#include <cstddef>
#include <optional>
#include <source_location>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/device/host_work.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/observe/chosen_thread.h"

namespace gs::inline GS_FLAVOUR::detail {

class kernel_work : public host_work {
 public:
  std::string_view name() const final { return kernel_.name; }
  std::size_t items() const final { return grid_.size(); }
  std::size_t threads_per_item() const final { return block_.size(); }
  void run(spread_function spread) final;

#if !GRIDSTRIDE_CHECKED
  /// For the replay of a fault: whether the threads of a block can run one by one; runs a block of it so.
  bool has_threads() const { return kernel_.has_threads; }
  virtual void run_block_again(block_scheduler& scheduler, std::size_t number) const = 0;
#else
  bool has_threads() const { return false; }
  void run_block_again(block_scheduler& /*scheduler*/, std::size_t /*number*/) const {}
#endif

 protected:
  /// What all launches of a kernel share.
  struct kernel_facts {
    std::string_view name;
    bool block_style;
    bool has_threads;  ///< that can run one by one, in the replay of a fault
    std::size_t static_shared_bytes, parameter_bytes;
    std::atomic<bool> was_short = false;  ///< the last launch
  };
  kernel_work(kernel_facts& kernel, const launch_options& options)
      : grid_(options.grid.as_index()),
        block_(options.block.as_index()),
        dynamic_bytes_(options.shared_bytes),
        cooperative_(options.cooperative),
#if GRIDSTRIDE_CHECKED
        where_(options.where),
#endif
        kernel_(kernel) {
  }

  /// Runs the range's next block and those after it, to its end, which comes earlier if a block is set aside.
  virtual void run_blocks(block_scheduler& scheduler, block_scheduler::block_range& range) const = 0;
  virtual void run_block(block_scheduler& scheduler, std::size_t number) const = 0;

  const index3 grid_, block_;
  const std::size_t dynamic_bytes_;
  const bool cooperative_;
#if GRIDSTRIDE_CHECKED
  std::optional<chosen_thread> chosen_;
#endif

 private:
  void run_one_block(block_scheduler& scheduler, std::size_t number) const;
  void run_cooperatively(spread_function spread) const;
  void run_grid(spread_function spread) const;
#if GRIDSTRIDE_CHECKED
  void run_grid_in_order(spread_function spread) const;
  std::source_location where_;
#endif
  void after_blocks() const;

  kernel_facts& kernel_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
