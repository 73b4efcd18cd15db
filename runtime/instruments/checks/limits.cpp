#include "runtime/instruments/checks/limits.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/instruments/device_model/launch_refusals.h"
#include "runtime/instruments/results/finding_text.h"

namespace gs::inline GS_FLAVOUR::instruments {

void limits::begin_inspection() {
  local_bytes_ = model_of(observed_.options.model).local_bytes_per_thread;
  deepest_ = 0;
}

void limits::begin_launch(const launch_description& launch) {
  observation& o = observed_;
  for (const error& refusal :
       detail::launch_refusals(model_of(o.options.model), {.kernel = std::string(launch.kernel),
                                                           .grid = launch.grid,
                                                           .block = launch.block,
                                                           .static_shared_bytes = launch.static_shared_bytes,
                                                           .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                                                           .parameter_bytes = launch.parameter_bytes,
                                                           .registers_per_thread = o.options.registers_per_thread,
                                                           .cooperative = launch.cooperative})) {
    const finding_log::key key{finding_kind::launch_limit, launch.kernel, o.sites.number_of_text(refusal.what()),
                               o.sites.number_of(launch.where)};
    if (o.log.count_again(key) != finding_log::no_finding) continue;
    finding f = o.finding_here(finding_kind::launch_limit, access_kind::read);
    f.access.where = place_of(launch.where);
    detail::describe(f, refusal);
    o.log.add(key, std::move(f));
  }
}

void limits::begin_run() {
  has_bases_ = true;
  block_base_ = 0;
}

void limits::enter_thread(unsigned number) {
  const std::uintptr_t base = observed_.bases[number % observation::most_threads];
  if (block_base_ != 0)
    deepest_ = block_deepest_;
  else
    deepest_ = has_bases_ && base > local_bytes_ ? base - local_bytes_ : 0;
}

void limits::enter_all_threads(unsigned /*threads*/) {
  if (block_base_ != 0) return;
  block_base_ = observed_.bases[0];  // the block begins
  block_deepest_ = block_base_ > local_bytes_ ? block_base_ - local_bytes_ : 0;
  block_is_deep_ = false;
  side_by_side_.clear();
}

void limits::note_side_by_side(std::uintptr_t data, std::size_t bytes, unsigned threads) {
  const auto known = std::ranges::find(side_by_side_, data, &side_by_side_values::begin);
  const side_by_side_values one{data, bytes, bytes - bytes / threads};
  if (known != side_by_side_.end())
    *known = one;
  else
    side_by_side_.push_back(one);
}

// Of a thread's stack, a GPU gives it so much. Told once for each thread.
void limits::note_depth(site where, std::uintptr_t frame) {
  if (block_base_ != 0) {  // how much of it is one thread's shows when the block has made all its variables
    deepest_ = block_deepest_ = frame;
    deepest_site_ = where;
    block_is_deep_ = true;
    return;
  }
  const std::uintptr_t base = deepest_ + local_bytes_;
  deepest_ = 0;
  report_depth(where, base, base - frame);
}

void limits::report_depth_of_block() {
  const std::uintptr_t base = std::exchange(block_base_, 0);
  if (!std::exchange(block_is_deep_, false)) return;
  std::size_t used = base - block_deepest_;
  for (const side_by_side_values& one : side_by_side_)
    if (one.begin >= block_deepest_ && one.begin + one.bytes <= base) used -= std::min(used, one.of_others);
  if (used > local_bytes_) report_depth(deepest_site_, base, used);
}

void limits::report_depth(site where, std::uintptr_t base, std::size_t used) {
  observation& o = observed_;
  // A thread that has given way to other blocks goes on where another one of its number has begun.
  const detail::block_scheduler* running = detail::block_scheduler::running_here();
  const detail::guarded_stack* stack = running ? running->stack_in_use() : nullptr;
  if (!stack || !stack->contains(reinterpret_cast<const void*>(base))) return;
  const std::string& kernel = o.time.work().kernel;
  const finding_log::key key{finding_kind::launch_limit, kernel, where, unknown_site};
  if (o.log.count_again(key) != finding_log::no_finding) return;
  finding f = o.finding_here(finding_kind::launch_limit, access_kind::read);
  detail::describe(f, error(fmt::format("a launch of {} whose threads take {} KiB for local arrays and variables",
                                        kernel, used / 1024),
                            fmt::format("a GPU has {} KiB of local memory for a thread", local_bytes_ / 1024),
                            "give each thread a part of a gs::device_array instead"));
  o.log.add(key, std::move(f));
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
