#include "runtime/engine/cooperative_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <source_location>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/engine/scheduler_details.h"
#include "runtime/engine/spinning_grid.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// A block with a scheduler of its own, which keeps its threads while it waits for the grid.
struct resident_block {
  std::unique_ptr<block_scheduler> scheduler = std::make_unique<block_scheduler>();
  std::function<void()> work;  // lives as long as the block runs
  bool waits = false, spins = false;
  bool has_finding = false;  // which ended it

  void reached(block_scheduler::progress to) {
    waits = to == block_scheduler::progress::at_grid_barrier;
    spins = to == block_scheduler::progress::spins;
  }
};

}  // namespace

void run_cooperative_grid(std::string_view kernel, std::size_t blocks, spread_function spread,
                          function_ref<void(block_scheduler&, std::size_t)> run_block) {
  std::vector<resident_block> resident(blocks);
  std::mutex mutex;
  std::exception_ptr error;
  // One round takes every block from one barrier of the grid to the next. No exception leaves a round, so that all of
  // its blocks come to rest.
  const auto round = [&](auto step) {
    spread(blocks, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t turn = begin; turn < end; ++turn) {
        if (instruments::given_up()) return;
        const std::size_t b = instruments::whose_turn(turn, blocks);
        try {
          step(resident[b], b);
        } catch (const instruments::block_stopped&) {
          resident[b].reached(block_scheduler::progress::done);
          resident[b].has_finding = true;
        } catch (...) {
          resident[b].reached(block_scheduler::progress::done);
          std::lock_guard lock(mutex);
          if (!error) error = std::current_exception();
        }
      }
    });
  };
  round([&](resident_block& one, std::size_t b) {
    one.work = [&run_block, &one, b] { run_block(*one.scheduler, b); };
    one.reached(one.scheduler->run(kernel, one.work));
    one.scheduler->range().next = b + 1;
  });
  // Blocks whose threads spin wait for others, which have all begun.
  const auto let_spin = [&] {
    patience patient;
    const auto spins = [](const resident_block& one) { return one.spins; };
    while (!error && std::ranges::any_of(resident, spins)) {
      std::atomic<bool> something_happened = false;
      round([&](resident_block& one, std::size_t b) {
        if (!one.spins) return;
        instruments::go_back_to_block(b);
        one.reached(one.scheduler->look_again());
        if (!one.spins || !one.scheduler->stuck()) something_happened = true;
      });
      if (patient.ends(something_happened))
        if (const auto one = std::ranges::find_if(resident, spins); one != resident.end() && !error)
          error = std::make_exception_ptr(spinning_grid::spins_in_vain(kernel, *one->scheduler, 0));
    }
  };
  let_spin();
  const auto waiting = [&] {
    std::size_t count = 0;
    for (const resident_block& one : resident) count += one.waits;
    return count;
  };
  while (!error && waiting() > 0) {
    if (instruments::given_up()) break;
    if (waiting() < blocks) {
      const auto number_of_first = [&](bool waits) {
        return static_cast<std::size_t>(std::ranges::find(resident, waits, &resident_block::waits) - resident.begin());
      };
      const std::size_t waits = number_of_first(true), returned = number_of_first(false);
      const std::source_location& where = resident[waits].scheduler->place_in_grid_barrier();
      if (std::ranges::any_of(resident, &resident_block::has_finding)) break;
      if (instruments::watching()) {
        instruments::enter_block(returned, true);
        instruments::exit_before_grid_sync(0, where);
        break;
      }
      error = std::make_exception_ptr(gs::error(
          fmt::format("grid_sync in kernel {} at {}", kernel, scheduling::text(where)),
          fmt::format(
              "some blocks have returned, the first is block {}, and others wait for them, the first is block {}",
              returned, waits),
          "let every block reach every barrier of the grid"));
      break;
    }
    instruments::grid_has_met();
    round([&](resident_block& one, std::size_t b) {
      instruments::enter_block(b, true);
      one.reached(one.scheduler->pass_grid_barrier());
    });
    let_spin();
  }
  for (resident_block& one : resident) one.scheduler->abandon();
  if (error) std::rethrow_exception(error);
}

}  // namespace gs::inline GS_FLAVOUR::detail
