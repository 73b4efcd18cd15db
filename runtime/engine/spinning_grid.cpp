#include "runtime/engine/spinning_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/cooperative_grid.h"
#include "runtime/engine/engine_queue.h"
#include "runtime/host/cores.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What another core does in that time may be what a block waits for: it takes less to look again than to begin another.
constexpr std::chrono::microseconds short_wait{20};

std::atomic<int> launches_that_wait{0};

// A turn for each thread of a block that was set aside, or whose threads have just been seen to spin.
block_scheduler::progress look_again(block_scheduler& scheduler, bool after_others) {
  if (after_others) instruments::go_back_to_block(scheduler.range().next - 1);
  try {
    return scheduler.look_again();
  } catch (const instruments::block_stopped&) {  // by a finding; the others go on
    return block_scheduler::progress::done;
  }
}

}  // namespace

patience::~patience() { begin_anew(); }

void patience::begin_anew() {
  if (std::exchange(looks_, 0) > 0) --launches_that_wait;
}

bool patience::ends(bool something_happened) {
  if (something_happened) {
    begin_anew();
    return false;
  }
  if (looks_++ == 0) {
    ++launches_that_wait;
    since_ = std::chrono::steady_clock::now();
  }
  std::this_thread::yield();
  if (engine_queue::running() > launches_that_wait) since_ = std::chrono::steady_clock::now();
  return looks_ > least_looks && std::chrono::steady_clock::now() - since_ > longest;
}

spinning_grid::~spinning_grid() {
  for (const auto& one : aside_) one->abandon();
}

std::size_t spinning_grid::run(std::size_t begin, std::size_t end, block_scheduler::range_runner work) {
  using progress = block_scheduler::progress;
  block_scheduler& scheduler = block_scheduler::of_this_thread();
  progress reached = scheduler.run_range(kernel_, begin, end, work);
  if (reached == progress::spins) {
    const bool waits = core_count() > 1 && !instruments::watching();
    const auto start = std::chrono::steady_clock::now();
    while (waits && reached == progress::spins && std::chrono::steady_clock::now() - start < short_wait)
      reached = look_again(scheduler, false);
  }
  const std::size_t next = scheduler.range().next;
  if (reached == progress::spins) set_aside();
  return next;
}

// The block that this core runs. The core gets another scheduler.
void spinning_grid::set_aside() {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<block_scheduler> other;
  if (!free_.empty()) {
    other = std::move(free_.back());
    free_.pop_back();
  }
  aside_.push_back(block_scheduler::take_from_this_thread(std::move(other)));
  block_scheduler::block_range& range = aside_.back()->range();
  range.end = range.next;
  range.set_aside = true;
}

bool spinning_grid::has_room() {
  const std::lock_guard lock(mutex_);
  return (aside_.size() + 1) * threads_per_block_ <= most_cooperative_threads;
}

void spinning_grid::run_all(std::size_t begin, std::size_t end, block_scheduler::range_runner work) {
  while (begin < end) {
    if (!has_room()) {
      const std::lock_guard lock(mutex_);
      rest_.push_back({begin, end, work});
      return;
    }
    begin = run(begin, end, work);
  }
}

void spinning_grid::begin_rest() {
  for (const unbegun& one : std::exchange(rest_, {}))
    spread_(one.end - one.begin, 1,
            [&](std::size_t begin, std::size_t end) { run_all(one.begin + begin, one.begin + end, one.work); });
}

void spinning_grid::finish() {
  using progress = block_scheduler::progress;
  patience waits;
  while (!aside_.empty() || !rest_.empty()) {
    // In the order in which they began: others mostly wait for the first of them.
    std::ranges::sort(aside_, {}, [](const auto& one) { return one->range().next; });
    const std::vector<block_scheduler*> looking = [&] {
      std::vector<block_scheduler*> all;
      for (const auto& one : aside_) all.push_back(one.get());
      return all;
    }();
    std::vector<char> spins(looking.size()), stuck(looking.size());
    spread_(looking.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        spins[i] = look_again(*looking[i], true) == progress::spins;
        stuck[i] = spins[i] && looking[i]->stuck();
      }
    });
    bool something_happened = false;
    for (std::size_t i = looking.size(); i-- > 0;) {
      something_happened |= !stuck[i];
      if (spins[i]) continue;
      free_.push_back(std::move(aside_[i]));
      aside_.erase(aside_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (!rest_.empty() && has_room()) {
      something_happened = true;
      begin_rest();
    }
    if (!aside_.empty() && waits.ends(something_happened)) {
      std::size_t not_begun = 0;
      for (const unbegun& one : rest_) not_begun += one.end - one.begin;
      throw spins_in_vain(kernel_, *aside_.front(), not_begun);
    }
  }
}

kernel_fault spinning_grid::spins_in_vain(std::string_view kernel, const block_scheduler& one, std::size_t not_begun) {
  const std::string found =
      fmt::format("{} of block {}, where it reads the same each time, and all other threads wait or have returned",
                  one.spinning_thread(), one.range().next - 1);
  if (not_begun > 0)
    return {fmt::format("a loop that waits in kernel {}", kernel),
            fmt::format("{}; {} blocks have not begun, because {} threads that wait are as many as the engine holds",
                        found, not_begun, most_cooperative_threads),
            "launch no more blocks than gs::cooperative_limit allows: a GPU doesn't begin all of them at once either"};
  return {fmt::format("a loop that waits in kernel {}", kernel), found,
          "let another thread write what it waits for, and give a compare_exchange that is tried again the value that "
          "it has found"};
}

}  // namespace gs::inline GS_FLAVOUR::detail
