#include "runtime/host/cores.h"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "runtime/core/error.h"
#include "runtime/host/core_affinity.h"
#include "runtime/host/core_share.h"
#include "runtime/host/shared_loop.h"
#include "runtime/observe/host_loop_watch.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR {
namespace {

unsigned read_core_count() {
  const char* text = std::getenv("GRIDSTRIDE_THREADS");
  if (!text || !*text)
    return detail::cores_of_share(static_cast<unsigned>(tbb::info::default_concurrency()), detail::this_core_share());
  const std::string_view value = text;
  unsigned count = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (status != std::errc{} || end != value.data() + value.size() || count < 1 || count > 1024)
    throw error("GRIDSTRIDE_THREADS", fmt::format("'{}'", value), "use a number of 1 to 1024, or leave it unset");
  return count;
}

// Every thread of an arena gets a core of its own when it first joins.
class core_assignment : public tbb::task_scheduler_observer {
 public:
  explicit core_assignment(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
  void on_scheduler_entry(bool is_worker) override {
    if (is_worker) detail::take_a_core();
  }
};

// As many threads as cores, the calling one included: with one more, two of them share a core for whole loops at a
// time, because a thread wakes up on the core where it last ran. But never fewer than two besides the caller: a
// kernel that waits for one on another stream would keep that one from starting. Loops run in `work`, which keeps a
// slot for the thread that starts the loop, so that it never waits for one. The threads that drain queues come from
// `later`, so that an idle one that lingers takes no slot from a loop.
class core_pool {
 public:
  core_pool()
      : allowance_(tbb::global_control::max_allowed_parallelism, detail::pool_threads() + 1),
        work_(int_count(), 1),
        later_(std::max(int_count() - 1, 2), 0),
        work_cores_(work_),
        later_cores_(later_) {}
  tbb::task_arena& work() { return work_; }
  tbb::task_arena& later() { return later_; }

 private:
  static int int_count() { return static_cast<int>(core_count()); }
  tbb::global_control allowance_;
  tbb::task_arena work_, later_;
  core_assignment work_cores_, later_cores_;
};

core_pool& pool() {
  static auto* cores = new core_pool;  // never destroyed: work may still run while the program ends
  return *cores;
}

}  // namespace

unsigned core_count() {
  static const unsigned count = read_core_count();
  return count;
}

namespace detail {

unsigned pool_threads() { return std::max(core_count(), 3u) - 1; }

}  // namespace detail

void for_pieces(std::size_t n, std::size_t grain, detail::function_ref<void(std::size_t, std::size_t)> body) {
  if (n == 0) return;
#if GRIDSTRIDE_CHECKED
  if (instruments::host_loop_watch* watch = instruments::host_loop_watch::here()) return watch->run(n, grain, body);
#endif
  if (n <= grain || core_count() == 1) return body(0, n);
  if (instruments::watching()) return body(0, n);  // observed code runs on one core
  detail::keep_this_core_free();
  detail::shared_loop loop(n, grain, body);
  {
    const detail::loop_offer::announcement announced(loop);
    pool().work().execute([&] {
      // Isolated: a thread that waits for the other threads must not start another stream's work meanwhile, which may
      // be long, or wait for this very loop.
      tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            std::size_t{0}, loop.most_threads(), [&](std::size_t) { loop.take_part(); }, tbb::simple_partitioner());
      });
    });
  }
  loop.finish();
}

namespace {
std::atomic<int> to_run_later{0};
}

namespace detail {

void run_later(void (*body)(void*), void* argument) {
  ++to_run_later;
  keep_this_core_free();
  pool().later().enqueue([body, argument] {
    body(argument);
    --to_run_later;
  });
}

void finish_later(double seconds) {
  using clock = std::chrono::steady_clock;
  const auto deadline = clock::now() + std::chrono::duration<double>(seconds);
  while (to_run_later > 0 && clock::now() < deadline) std::this_thread::yield();
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
