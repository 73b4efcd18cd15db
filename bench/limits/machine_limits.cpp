#include "bench/limits/machine_limits.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "bench/limits/arithmetic.h"
#include "bench/limits/atomics.h"
#include "bench/limits/bandwidth.h"
#include "bench/limits/fork_join.h"
#include "bench/limits/gpu.h"
#include "bench/measure/contest.h"
#include "bench/measure/large_buffer.h"
#include "runtime/device/device.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

// Entrants of one contest, each with the amount of work that turns its time into a rate.
class limit_contest {
 public:
  /// `amount` is the work of a call, in the unit times seconds; 0 reports the time itself.
  void add(std::string name, std::string unit, double amount, work run) {
    amounts_.push_back({std::move(unit), amount});
    contest_.add(std::move(name), role::limit, std::move(run));
  }

  void measure(const limit_options& options, std::vector<limit>& into) {
    contest_.warm_up();
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::size_t round = 0;
    do contest_.round();
    while (!options.rounds.ends(++round, uncertainty(contest_.entrants()), seconds(), options.seconds));
    for (std::size_t i = 0; i < amounts_.size(); ++i) {
      const entrant& e = contest_.entrants()[i];
      const auto& [unit, amount] = amounts_[i];
      const summary time = summarize(e.seconds);
      into.push_back({e.name, unit, amount > 0 ? amount / time.median : time.median * 1e6, time});
    }
  }

 private:
  contest contest_;
  std::vector<std::pair<std::string, double>> amounts_;
};

void measure_memory(const limit_options& options, std::vector<limit>& into) {
  const std::size_t n = options.array_bytes / sizeof(float);
  const large_buffer<float> a(n), b(n), c(n);
  const auto bytes = static_cast<double>(n * sizeof(float));
  const auto source = std::as_bytes(b.read());
  const auto destination = std::as_writable_bytes(a.span());
  limit_contest memory;
  for (const stores how : {stores::streaming, stores::plain}) {
    memory.add("copy, " + to_string(how), "GB/s", 2e-9 * bytes,
               repeated([=] { limits::copy(source, destination, how); }));
    memory.add("triad, " + to_string(how), "GB/s", 3e-9 * bytes,
               repeated([=, &a, &b, &c] { limits::triad(a.span(), b.read(), c.read(), how); }));
  }
  memory.add("read", "GB/s", 1e-9 * bytes, repeated([=] { benchmark::DoNotOptimize(limits::read(source)); }));
  memory.measure(options, into);
}

// Each core reads half of its share of the cache, over and over.
void measure_caches(const machine& m, const limit_options& options, std::vector<limit>& into) {
  const std::size_t threads = limits::threads();
  for (const cache& c : m.caches) {
    const std::size_t per_core = c.bytes / static_cast<std::size_t>(c.cores) / 2 / 64 * 64;
    const std::size_t passes = std::max<std::size_t>((std::size_t{4} << 20) / per_core, 1);
    const large_buffer<std::byte> data(per_core * threads);
    limit_contest level;
    level.add(fmt::format("read, L{} cache", c.level), "GB/s", 1e-9 * static_cast<double>(data.size() * passes),
              repeated([&] { benchmark::DoNotOptimize(limits::read_repeatedly(data.read(), passes)); }));
    level.measure(options, into);
  }
}

void measure_arithmetic(const limit_options& options, std::vector<limit>& into) {
  constexpr std::size_t steps = 1 << 20;
  const double operations = 1e-9 * static_cast<double>(steps * limits::operations_per_step());
  limit_contest peak;
  peak.add("float32 multiply-add, all cores", "GFLOP/s", operations * static_cast<double>(limits::threads()),
           repeated([] { benchmark::DoNotOptimize(limits::multiply_add_on_all_cores(steps)); }));
  peak.add("float32 multiply-add, one core", "GFLOP/s", operations,
           repeated([] { benchmark::DoNotOptimize(limits::multiply_add(steps)); }));
  peak.measure(options, into);
}

void measure_atomics(const limit_options& options, std::vector<limit>& into) {
  constexpr std::size_t times = 10'000;
  const double millions = 1e-6 * static_cast<double>(times * limits::threads());
  limit_contest atomics;
  const auto add = [&](const char* name, limits::sharing shared) {
    atomics.add(name, "M/s", millions,
                repeated([shared] { benchmark::DoNotOptimize(limits::add_atomically(times, shared)); }));
  };
  add("atomic additions, one counter", limits::sharing::counter);
  add("atomic additions, one line", limits::sharing::line);
  add("atomic additions, own lines", limits::sharing::nothing);
  atomics.measure(options, into);
}

void measure_fork_join(const limit_options& options, std::vector<limit>& into) {
  limit_contest fork_join;
  fork_join.add("fork-join, OpenMP", "µs", 0, repeated(limits::fork_join_openmp));
  fork_join.add("fork-join, oneTBB", "µs", 0, repeated(limits::fork_join_tbb));
  fork_join.measure(options, into);
}

#if GRIDSTRIDE_CUDA
void measure_gpu(const limit_options& options, std::vector<limit>& into) {
  limit_contest gpu;
  gpu.add("copy, GPU", "GB/s", 2e-9 * static_cast<double>(options.array_bytes),
          repeated([copy = std::make_shared<limits::gpu_copy>(2 * options.array_bytes)] { (*copy)(); }));
  constexpr std::size_t operations = 100'000'000'000;
  gpu.add("float32 multiply-add, GPU", "GFLOP/s", 1e-9 * operations,
          repeated([] { limits::multiply_add_on_gpu(operations); }));
  gpu.add("empty launch, GPU", "µs", 0, repeated([] { limits::launch_nothing(1); }));
  gpu.measure(options, into);
}
#endif

}  // namespace

std::size_t limit_array_bytes(const machine& m, std::size_t least) {
  const std::size_t bytes = std::max(least, last_level_cache(m) / 2 * 3);
  return std::min(bytes, gs::detail::free_memory() / 2 / 3) / 64 * 64;
}

std::vector<limit> measure_limits(const machine& m, const limit_options& options,
                                  const std::function<void(const std::string&)>& say) {
  std::vector<limit> results;
  say("the limits of memory");
  measure_memory(options, results);
  say("the limits of the caches");
  measure_caches(m, options, results);
  say("the limits of arithmetic");
  measure_arithmetic(options, results);
  say("atomic additions");
  measure_atomics(options, results);
  say("fork-join");
  measure_fork_join(options, results);
#if GRIDSTRIDE_CUDA
  if (gs::why_no_cuda().empty()) {
    say("the GPU");
    measure_gpu(options, results);
  }
#endif
  return results;
}

std::vector<limit> measure_memory_and_arithmetic(const limit_options& options) {
  std::vector<limit> results;
  measure_memory(options, results);
  measure_arithmetic(options, results);
  return results;
}

}  // namespace bench
