// reduce: the sum of an array, float32, as a tree of neighbours. Nothing but reading.
#include <benchmark/benchmark.h>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN float sum_of_two(float x, float y) { return x + y; }
inline constexpr auto sum_of_all = gs::reduce<sum_of_two>;

struct reduce_arrays {
  explicit reduce_arrays(std::size_t n) : x(n), out(1) {
    fill(x.span(), [](std::size_t i) { return uniform(i); });
    x_device = gs::to_device(x.span());
  }
  large_buffer<float> x;
  gs::device_array<float> x_device;
  outputs<float> out;
};

contest prepare_reduce(std::size_t n) {
  const auto a = std::make_shared<reduce_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          sum_of_all(a->x_device, 0.0f, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours,
        repeated([a] { sum_of_all.on(gs::target::parallel)(a->x.read(), 0.0f, gs::out(a->out.host.span())); }));
  c.add("OpenMP, simd reduction", role::peer, repeated([a] { *a->out.host.data() = peers::reduce(a->x.read()); }));
  c.add("read", role::limit,
        repeated([a] { benchmark::DoNotOptimize(limits::read(std::as_bytes(for_limits(a->x, a->x_device)))); }));
  constexpr tolerance allowed{.relative = 1e-3};
  check_agreement(c, a->out, allowed);
  c.ask_outside(asked("reduce", c, a->out, allowed, {{"x", a->x.read()}}));
  return c;
}

}  // namespace

workload reduce(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "reduce",
          .text = "the sum of an array",
          .elements = elements,
          .dtype = "float32",
          .bytes = sizeof(float) * n,
          .operations = n,
          .memory = 2 * sizeof(float) * elements,
          .wanted = demand{demand::of_limit, 1 / 0.9, "90 % of read"},
          .prepare = [elements] { return prepare_reduce(elements); }};
}

}  // namespace bench
