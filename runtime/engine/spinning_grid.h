#pragma once
// spinning_grid: runs the blocks of a launch. A block whose threads all spin is set aside, and others begin meanwhile.

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/core/function_ref.h"
#include "runtime/device/host_work.h"
#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR::detail {

/// How long nothing may happen in a launch before it is given up: a second in which no other work has run either, such
/// as a launch on another stream that this one waits for.
class patience {
 public:
  patience() = default;
  ~patience();
  patience(const patience&) = delete;
  patience& operator=(const patience&) = delete;

  /// After a look at all blocks. True if it has ended.
  bool ends(bool something_happened);

 private:
  void begin_anew();

  static constexpr int least_looks = 8;
  static constexpr std::chrono::milliseconds longest{1000};
  int looks_ = 0;  // at blocks in which nothing had happened, one after the other
  std::chrono::steady_clock::time_point since_;
};

class spinning_grid {
 public:
  /// `kernel` is its name; it and what `spread` refers to must live as long as this.
  spinning_grid(std::string_view kernel, std::size_t threads_per_block, spread_function spread)
      : kernel_(kernel), threads_per_block_(threads_per_block), spread_(spread) {}
  /// Lets go of what is left after an error.
  ~spinning_grid();
  spinning_grid(const spinning_grid&) = delete;
  spinning_grid& operator=(const spinning_grid&) = delete;

  /// Runs blocks on this core until `work` has returned or a block was set aside. Returns the number of the block that
  /// is to be begun next.
  std::size_t run(std::size_t begin, std::size_t end, block_scheduler::range_runner work);
  /// Runs or sets aside all of them, as far as there is room; finish() sees to the rest. `work` must live until then.
  void run_all(std::size_t begin, std::size_t end, block_scheduler::range_runner work);
  /// Goes on with the blocks that were set aside until all have ended, on the threads of `spread`. Throws gs::error if
  /// none of them ever will.
  void finish();

  /// The error of a launch whose threads all spin or wait; one of them is this block's.
  static kernel_fault spins_in_vain(std::string_view kernel, const block_scheduler& one, std::size_t not_begun);

 private:
  struct unbegun {
    std::size_t begin, end;
    block_scheduler::range_runner work;
  };
  void set_aside();
  bool has_room();
  void begin_rest();

  std::string_view kernel_;
  std::size_t threads_per_block_;
  spread_function spread_;
  std::mutex mutex_;  // of what follows
  std::vector<std::unique_ptr<block_scheduler>> aside_, free_;
  std::vector<unbegun> rest_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
