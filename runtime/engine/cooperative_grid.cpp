#include "runtime/engine/cooperative_grid.h"

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/engine/cores.h"
#include "runtime/instruments/observe.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// A block with a scheduler of its own, which keeps its threads while it waits for the grid.
struct resident_block {
  std::unique_ptr<block_scheduler> scheduler = std::make_unique<block_scheduler>();
  std::function<void()> work;  // lives as long as the block runs
  bool waits = false;
};

}  // namespace

void run_cooperative_grid(std::string_view kernel, std::size_t blocks,
                          function_ref<void(block_scheduler&, std::size_t)> run_block) {
  std::vector<resident_block> resident(blocks);
  std::mutex mutex;
  std::exception_ptr error;
  // One round takes every block from one barrier of the grid to the next. No exception leaves a round, so that all of
  // its blocks come to rest.
  const auto round = [&](auto step) {
    for_pieces(blocks, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        try {
          step(resident[b], b);
#if GRIDSTRIDE_CHECKED
        } catch (const instruments::block_stopped&) {
          resident[b].waits = false;
#endif
        } catch (...) {
          resident[b].waits = false;
          std::lock_guard lock(mutex);
          if (!error) error = std::current_exception();
        }
      }
    });
  };
  round([&](resident_block& one, std::size_t b) {
    one.work = [&run_block, &one, b] { run_block(*one.scheduler, b); };
    one.waits = one.scheduler->run(kernel, one.work) == block_scheduler::progress::at_grid_barrier;
  });
  const auto waiting = [&] {
    std::size_t count = 0;
    for (const resident_block& one : resident) count += one.waits;
    return count;
  };
  while (!error && waiting() > 0) {
    if (waiting() < blocks) {
      error = std::make_exception_ptr(gs::error("grid_sync in kernel " + std::string(kernel),
                                                "some blocks have returned and others wait for them",
                                                "let every block reach every barrier of the grid"));
      break;
    }
#if GRIDSTRIDE_CHECKED
    instruments::grid_has_met();
#endif
    round([&](resident_block& one, [[maybe_unused]] std::size_t b) {
#if GRIDSTRIDE_CHECKED
      instruments::enter_block(b, true);
#endif
      one.waits = one.scheduler->pass_grid_barrier() == block_scheduler::progress::at_grid_barrier;
    });
  }
  for (resident_block& one : resident) one.scheduler->abandon();
  if (error) std::rethrow_exception(error);
}

}  // namespace gs::inline GS_FLAVOUR
