// reduce: the sum of an array, float32, as a tree of neighbours. Nothing but reading.
#include <benchmark/benchmark.h>

#include "bench/peers/peers.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float sum_of_two(float x, float y) { return x + y; }
inline constexpr auto sum_of_all = gs::reduce<sum_of_two>;

struct reduce_arrays {
  explicit reduce_arrays(std::size_t n) : x(n, [](std::size_t i) { return uniform(i); }), out(1) {}
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_reduce(std::size_t n) {
  const auto a = std::make_shared<reduce_arrays>(n);
  contest c;
  add_targets(
      c, n, [a](gs::device_kind device) { sum_of_all(a->x.on(device), 0.0f, gs::out(a->out.on(device))); },
      [a](gs::target target) { sum_of_all.on(target)(a->x.host.read(), 0.0f, gs::out(a->out.host.span())); });
  const auto loop = repeated([a] { *a->out.host.data() = peers::reduce(a->x.host.read()); });
  c.add("OpenMP, simd reduction", role::peer, loop);
  c.add("std::reduce, par_unseq", role::peer,
        repeated([a] { *a->out.host.data() = peers::reduce_by_algorithm(a->x.host.read()); }));
  if (n <= one_core_most) c.add("OpenMP, one core", role::peer, hardware::one_core, on_one_core(loop));
  c.add(
      "read", role::limit, repeated([a] {
        benchmark::DoNotOptimize(limits::read(std::as_bytes(for_limits(a->x.host, a->x.on(gs::device_kind::engine)))));
      }));
  add_gpu_limit(c, sizeof(float) * n);
  constexpr tolerance allowed{.relative = 1e-3};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("reduce", c, a->out, allowed, {{"x", a->x.host.read()}}));
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
