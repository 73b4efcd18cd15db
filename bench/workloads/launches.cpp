// Launches of a kernel that does nothing: what it costs to hand work to the device.
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN void nothing(gs::thread) {}

contest prepare_one() {
  contest c;
  c.add("engine, 1 block", role::ours, repeated([] {
          gs::launch<nothing>({.grid = 1, .block = 1});
          gs::synchronize();
        }));
  c.add("engine, 30 blocks of 128", role::ours, repeated([] {
          gs::launch<nothing>({.grid = 30, .block = 128});
          gs::synchronize();
        }));
  c.ask_outside({.task = "empty_launch"});
  return c;
}

contest prepare_queue() {
  const auto queue = [](const gs::launch_options& options) {
    return [options](std::size_t launches) {
      for (std::size_t i = 0; i < launches; ++i) gs::launch<nothing>(options);
      gs::synchronize();
    };
  };
  constexpr std::size_t launches = 1000;
  contest c;
  c.add("engine, 1 block", role::ours, queue({.grid = 1, .block = 1}), launches);
  c.add("engine, 30 blocks of 128", role::ours, queue({.grid = 30, .block = 128}), launches);
  c.ask_outside({.task = "queued_launches"});
  return c;
}

}  // namespace

workload empty_launch() {
  return {.name = "empty_launch",
          .text = "one launch of an empty kernel, then synchronize",
          .wanted = demand{demand::in_seconds, 10e-6, "10 µs"},
          .prepare = prepare_one};
}

workload queued_launches() {
  return {.name = "queued_launches",
          .text = "1,000 launches of an empty kernel, then synchronize; time of one launch",
          .wanted = demand{demand::in_seconds, 2e-6, "2 µs"},
          .prepare = prepare_queue};
}

}  // namespace bench
