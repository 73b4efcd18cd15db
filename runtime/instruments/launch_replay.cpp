#include "runtime/instruments/launch_replay.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <utility>

#include "runtime/host/machine.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// How far a run may go beyond the first one's accesses: a thread that waits for one whose turn comes later never ends.
constexpr std::uint64_t times_more = 8, accesses_more = 200'000;

// Little beside shadow memory, which takes 16 times what the arrays do.
std::size_t memory_for_snapshots() { return detail::usable_memory() / 4; }

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception";
  }
}

}  // namespace

void launch_replay::begin_inspection() {
  observed_.order = run_order();
  in_one_order_.clear();
  notes_.clear();
  snapshot_bytes_ = 0;
}

std::vector<std::string> launch_replay::take_notes() { return std::exchange(notes_, {}); }

unsigned launch_replay::begin_launch(const launch_description& launch, bool finds) {
  const inspect_options& options = observed_.options;
  saves_ = finds && options.orders > 1 && launch.grid.size() * launch.block.size() > 1 &&
           !in_one_order_.contains(launch.kernel);
  if (saves_ && snapshot_bytes_ == 0)
    snapshot_bytes_ = options.snapshot_bytes > 0 ? options.snapshot_bytes : memory_for_snapshots();
  journal_.begin(snapshot_bytes_);
  return saves_ ? options.orders : 1;
}

std::exception_ptr launch_replay::run(const launch_description& launch,
                                      detail::function_ref<std::exception_ptr()> run_once) {
  const std::uint64_t before = observed_.accesses;
  const std::exception_ptr failure = run_once();
  if (saves_ && !observed_.interrupted) {
    const std::uint64_t most_accesses = times_more * (observed_.accesses - before) + accesses_more;
    journal_.keep_result();
    if (journal_.complete())
      run_in_other_orders(launch, run_once, most_accesses, failure != nullptr);
    else
      stay_with_one_order(launch.kernel, "it writes more than there is memory to save");
  }
  saves_ = false;
  return failure;
}

void launch_replay::run_in_other_orders(const launch_description& launch,
                                        detail::function_ref<std::exception_ptr()> run_once,
                                        std::uint64_t most_accesses, bool has_failed) {
  std::exception_ptr interruption;
  for (unsigned k = 1; k < observed_.options.orders && !given_up_; ++k) {
    journal_.undo();
    observed_.order = run_order(k);
    last_access_ = observed_.accesses + most_accesses;
    observed_.time.begin_again();
    observed_.time.begin_launch(launch);
    const std::exception_ptr failure = run_once();
    if (observed_.interrupted)
      interruption = failure;
    else if (!journal_.complete())
      stay_with_one_order(launch.kernel, "it writes more than there is memory to save");
    else if (given_up_)
      stay_with_one_order(launch.kernel,
                          "in another, a thread waits for one whose turn comes later, or has much more to do");
    else if (failure && !has_failed)
      stay_with_one_order(launch.kernel, "in another it stops: " + text_of(failure));
    given_up_ |= failure != nullptr;
  }
  journal_.restore_result();
  observed_.order = run_order();
  given_up_ = false;
  if (interruption) std::rethrow_exception(interruption);
}

void launch_replay::stay_with_one_order(std::string_view kernel, const std::string& why) {
  if (in_one_order_.emplace(kernel).second)
    notes_.push_back(fmt::format("{} was observed in one order of its threads only: {}.", kernel, why));
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
