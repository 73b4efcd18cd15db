// Each launch is observed in several orders of its blocks and threads, from the same memory: which accesses a kernel
// makes may depend on who comes first. What the first order leaves in memory stays; later ones are undone, and count
// and print nothing.

#include <fmt/format.h>

#include <string>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include "runtime/engine/block_scheduler.h"
#include "runtime/host/usable_memory.h"
#include "runtime/instruments/finding_text.h"
#include "runtime/instruments/launch_refusals.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// How far a run may go beyond the first one's accesses: a thread that waits for one whose turn comes later never ends.
constexpr std::uint64_t times_more = 8, accesses_more = 200'000;

// Little beside shadow memory, which takes 16 times what the arrays do.
std::size_t memory_for_snapshots() { return usable_memory() / 4; }

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

void monitor::observe_launch(const launch_description& launch, function_ref<void()> run) {
  const std::string kernel(launch.kernel);
  const bool finds = wants(instrument::memcheck) || wants(instrument::initcheck) || wants(instrument::racecheck) ||
                     wants(instrument::synccheck);
  const bool again =
      finds && options_.orders > 1 && launch.grid.size() * launch.block.size() > 1 && !in_one_order_.contains(kernel);
  if (again && snapshot_bytes_ == 0)
    snapshot_bytes_ = options_.snapshot_bytes > 0 ? options_.snapshot_bytes : memory_for_snapshots();
  launch_started_ = std::chrono::steady_clock::now();
  blocks_entered_ = 0;
  runs_ = again ? options_.orders : 1;
  const std::uint64_t before = accesses_;
  log_.begin_launch();
  journal_.begin(snapshot_bytes_);
  saves_ = again;
  requests_.begin_launch(launch);
  time_.begin_launch(launch);
  walks_are_on_ = wants(instrument::memcheck) && launch.static_shared_bytes > 0;
  if (walks_are_on_)
    walks_.begin_launch(launch.static_shared_bytes, static_cast<unsigned>(launch.block.size()), launch.cooperative);
  refuse_launch(launch);
  const std::exception_ptr failure = run_once(launch, run);
  if (again && !interrupted_) {
    const std::uint64_t enough = times_more * (accesses_ - before) + accesses_more;
    journal_.keep_result();
    if (journal_.complete())
      run_in_other_orders(launch, run, enough, failure != nullptr);
    else
      stay_with_one_order(kernel, "it writes more than there is memory to save");
  }
  saves_ = false;
  if (walks_are_on_) walks_.end_launch();
  walks_are_on_ = false;
  log_.end_launch();
  if (failure) std::rethrow_exception(failure);
}

void monitor::run_in_other_orders(const launch_description& launch, function_ref<void()> run, std::uint64_t enough,
                                  bool has_failed) {
  const std::string kernel(launch.kernel);
  std::exception_ptr interruption;
  for (unsigned k = 1; k < options_.orders && !given_up_; ++k) {
    journal_.undo();
    order_ = run_order(k);
    last_access_ = accesses_ + enough;
    time_.begin_again();
    time_.begin_launch(launch);
    const std::exception_ptr failure = run_once(launch, run);
    if (interrupted_)
      interruption = failure;
    else if (!journal_.complete())
      stay_with_one_order(kernel, "it writes more than there is memory to save");
    else if (given_up_)
      stay_with_one_order(kernel, "in another, a thread waits for one whose turn comes later, or has much more to do");
    else if (failure && !has_failed)
      stay_with_one_order(kernel, "in another it stops: " + text_of(failure));
    given_up_ |= failure != nullptr;
  }
  journal_.restore_result();
  order_ = run_order();
  given_up_ = false;
  if (interruption) std::rethrow_exception(interruption);
}

void monitor::stay_with_one_order(const std::string& kernel, const std::string& why) {
  if (in_one_order_.insert(kernel).second)
    notes_of_launches_.push_back(fmt::format("{} was observed in one order of its threads only: {}.", kernel, why));
}

std::exception_ptr monitor::run_once(const launch_description& launch, function_ref<void()> run) {
  static_shared_bytes_ = launch.static_shared_bytes;
  dynamic_shared_bytes_ = launch.dynamic_shared_bytes;
  if (walks_are_on_) walks_.begin_run();
  bases_.fill(0);
  has_depth_ = true;
  block_base_ = 0;
  std::exception_ptr failure;
  try {
    run();
  } catch (...) {
    failure = std::current_exception();
  }
  in_thread_ = false;
  settle_pending();
  requests_.finish_requests();
  time_.end_launch();
  log_.end_run();
  return failure;
}

// Before the access: what it would write can't be taken back, or the run would never end.
void monitor::save(std::uintptr_t address, std::size_t bytes, bool of_array) {
  const bool saved = of_array ? journal_.save_pages(address, bytes) : journal_.save_bytes(address, bytes);
  if (!saved && !order_.as_numbered()) give_up();
}

void monitor::give_up() {
  if (!block_scheduler::running_here()) return;
  given_up_ = true;
  stop_thread();
}

void monitor::stop_thread(std::exception_ptr why) {
  in_thread_ = busy_ = false;
  range_ = {};
  block_scheduler::go_on_without_this_thread(std::move(why));
}

void monitor::refuse_launch(const launch_description& launch) {
  if (!wants(instrument::limits)) return;
  for (const error& refusal :
       launch_refusals(model_of(options_.model), {.kernel = std::string(launch.kernel),
                                                 .grid = launch.grid,
                                                 .block = launch.block,
                                                 .static_shared_bytes = launch.static_shared_bytes,
                                                 .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                                                 .parameter_bytes = launch.parameter_bytes,
                                                 .registers_per_thread = options_.registers_per_thread,
                                                 .cooperative = launch.cooperative})) {
    const finding_log::key key{finding_kind::launch_limit, launch.kernel, sites.number_of_text(refusal.what()),
                               sites.number_of(launch.where)};
    if (log_.count_again(key) != finding_log::no_finding) continue;
    finding f = describe_here(finding_kind::launch_limit, access_kind::read);
    f.access.where = place_of(launch.where);
    describe(f, refusal);
    log_.add(key, std::move(f));
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
