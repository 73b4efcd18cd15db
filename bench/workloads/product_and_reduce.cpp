// product_and_reduce: the sum of x * y, float32. One kernel for both steps, two calls of ufuncs, and the library: when
// a kernel is worth writing, and when not.
#include <benchmark/benchmark.h>

#include "bench/peers/peers.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float product_of_two(float x, float y) { return x * y; }
GS_FN float sum_of_products(float x, float y) { return x + y; }
inline constexpr auto product_ufunc = gs::vectorize<product_of_two>;
inline constexpr auto sum_of_all_products = gs::reduce<sum_of_products>;

constexpr unsigned summing_blocks = 256, summing_threads = 128;
struct sums_of_threads {
  gs::tile<float, summing_threads> of;
};
GS_FN void multiply_and_sum(gs::thread t, gs::shared<sums_of_threads> s, gs::view<const float> x,
                            gs::view<const float> y, gs::view<float> sums) {
  const unsigned rank = t.thread_rank();
  s->of[rank] = gs::sum(t.grid_stride(x.size()), [&](std::size_t i) { return x[i] * y[i]; });
  for (unsigned half = summing_threads / 2; half > 0; half /= 2) {
    t.sync();
    if (rank < half) s->of[rank] += s->of[rank + half];
  }
  if (rank == 0) sums[t.block_rank()] = s->of[0];
}

struct product_and_reduce_arrays {
  explicit product_and_reduce_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return uniform(i, 1); }),
        y(n, [](std::size_t i) { return uniform(i, 2); }),
        product(n),
        sums(summing_blocks),
        out(1) {}
  array_everywhere<float> x, y, product, sums;
  outputs<float> out;
};

contest prepare_product_and_reduce(std::size_t n) {
  const auto a = std::make_shared<product_and_reduce_arrays>(n);
  contest c;
  add_ours(c, "one kernel", [a](gs::device_kind device) {
    gs::launch<multiply_and_sum>({.grid = summing_blocks, .block = summing_threads}, a->x.on(device), a->y.on(device),
                                 a->sums.on(device));
    sum_of_all_products(a->sums.on(device), 0.0f, gs::out(a->out.on(device)));
  });
  add_ours(c, "two calls", [a](gs::device_kind device) {
    product_ufunc(a->x.on(device), a->y.on(device), gs::out(a->product.on(device)));
    sum_of_all_products(a->product.on(device), 0.0f, gs::out(a->out.on(device)));
  });
  add_ours(c, "library", [a](gs::device_kind device) {
    gs::gemm(a->x.on(device).reshape({1, -1}), a->y.on(device).reshape({-1, 1}),
             gs::out(a->out.on(device).reshape({1, 1})));
  });
  const auto x = a->x.host.read(), y = a->y.host.read();
  const auto out = a->out.host.span();
  c.add("OpenMP, simd reduction", role::peer, repeated([=] { out[0] = peers::dot(x, y); }));
  c.add("std::transform_reduce, par_unseq", role::peer, repeated([=] { out[0] = peers::dot_by_algorithm(x, y); }));
  c.add("read", role::limit, repeated([a] {
          constexpr auto engine = gs::device_kind::engine;
          benchmark::DoNotOptimize(limits::read(std::as_bytes(for_limits(a->x.host, a->x.on(engine)))) ^
                                   limits::read(std::as_bytes(for_limits(a->y.host, a->y.on(engine)))));
        }));
  add_gpu_limit(c, 2 * sizeof(float) * n);
  constexpr tolerance allowed{.relative = 1e-3};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("product_and_reduce", c, a->out, allowed, {{"x", x}, {"y", y}}));
  return c;
}

}  // namespace

workload product_and_reduce(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "product_and_reduce",
          .text = "the sum of x * y",
          .elements = elements,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * n,
          .operations = 2 * n,
          .memory = 6 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_product_and_reduce(elements); }};
}

}  // namespace bench
