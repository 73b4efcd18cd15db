// Launches of a kernel that does nothing: what it costs to hand work to the device. The limit of the engine is a
// parallel loop of oneTBB or OpenMP over nothing, that of a GPU a launch by CUDA alone.
#include "bench/limits/fork_join.h"
#include "bench/workloads/empty_kernel.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

work launch_and_wait(const gs::launch_options& options, gs::device_kind device) {
  return on(device, repeated([options] {
              gs::launch<empty_kernel>(options);
              gs::synchronize();
            }));
}
work queue_and_wait(const gs::launch_options& options, gs::device_kind device) {
  return on(device, [options](std::size_t launches) {
    for (std::size_t i = 0; i < launches; ++i) gs::launch<empty_kernel>(options);
    gs::synchronize();
  });
}

// `how` makes the work of one entrant; `launches` are timed together, or as many as it takes if 0.
template <class How>
contest prepare_launches(How how, std::size_t launches) {
  contest c;
  for (const gs::device_kind device : devices()) {
    c.add(gs::to_string(device) + ", 1 block", role::ours, hardware_of(device), how({.grid = 1, .block = 1}, device),
          launches);
    c.add(gs::to_string(device) + ", 30 blocks of 128", role::ours, hardware_of(device),
          how({.grid = 30, .block = 128}, device), launches);
  }
  return c;
}

contest prepare_one() {
  contest c = prepare_launches(launch_and_wait, 0);
  c.ask_outside({.task = "empty_launch"});
  c.add("fork-join, oneTBB", role::limit, repeated(limits::fork_join_tbb));
  c.add("fork-join, OpenMP", role::limit, repeated(limits::fork_join_openmp));
#if GRIDSTRIDE_CUDA
  if (devices().size() > 1)
    c.add("a launch by CUDA", role::limit, hardware::gpu, repeated([] { limits::launch_nothing(1); }));
#endif
  return c;
}

contest prepare_queue() {
  constexpr std::size_t launches = 1000;
  contest c = prepare_launches(queue_and_wait, launches);
  c.ask_outside({.task = "queued_launches"});
  c.add("fork-join, oneTBB", role::limit, repeated(limits::fork_join_tbb));
#if GRIDSTRIDE_CUDA
  if (devices().size() > 1) c.add("launches by CUDA", role::limit, hardware::gpu, limits::launch_nothing, launches);
#endif
  return c;
}

const demand wanted_of_a_gpu_launch{demand::of_limit, 1.2, "1.2 x CUDA"};

}  // namespace

workload empty_launch() {
  return {.name = "empty_launch",
          .text = "one launch of an empty kernel, then synchronize",
          .wanted = demand{demand::in_seconds, 10e-6, "10 µs"},
          .wanted_of_gpu = wanted_of_a_gpu_launch,
          .prepare = prepare_one};
}

workload queued_launches() {
  return {.name = "queued_launches",
          .text = "1,000 launches of an empty kernel, then synchronize; time of one launch",
          .wanted = demand{demand::in_seconds, 2e-6, "2 µs"},
          .wanted_of_gpu = wanted_of_a_gpu_launch,
          .prepare = prepare_queue};
}

}  // namespace bench
