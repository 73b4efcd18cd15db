// l2_norm: the Euclidean norm of every row of a matrix, float32. A generalised ufunc with a reduction inside.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"
#include "runtime/array/xtensor.h"

namespace bench {
namespace {

GS_FN void l2(gs::view<const float> x, float& norm) {
  norm = std::sqrt(gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; }));
}
inline constexpr auto l2_ufunc = gs::guvectorize<l2, "(i)->()">;

struct l2_norm_arrays {
  l2_norm_arrays(std::size_t rows, std::size_t columns)
      : columns(columns), x(rows * columns, [](std::size_t i) { return 2 * uniform(i) - 1; }), out(rows) {}
  auto matrix() const {
    return xt::adapt(x.host.data(), x.host.size(), xt::no_ownership(), std::array{x.host.size() / columns, columns});
  }
  gs::device_array<float> matrix(gs::device_kind device) const {
    return x.on(device).reshape({-1, static_cast<std::ptrdiff_t>(columns)});
  }
  std::size_t columns;
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_l2_norm(std::size_t rows, std::size_t columns) {
  const auto a = std::make_shared<l2_norm_arrays>(rows, columns);
  contest c;
  add_targets(
      c, rows * columns, [a](gs::device_kind device) { l2_ufunc(a->matrix(device), gs::out(a->out.on(device))); },
      [a](gs::target target) { l2_ufunc.on(target)(a->matrix(), gs::out(a->out.host.span())); });
  const auto loop = repeated([a] { peers::l2_norm(a->x.host.read(), a->columns, a->out.host.span()); });
  c.add("OpenMP", role::peer, loop);
  if (rows * columns <= one_core_most) {
    c.add("OpenMP, one core", role::peer, hardware::one_core, on_one_core(loop));
    c.add("plain loop, one core", role::peer, hardware::one_core,
          repeated([a] { peers::plain::l2_norm(a->x.host.read(), a->columns, a->out.host.span()); }));
  }
  c.add(
      "read", role::limit, repeated([a] {
        benchmark::DoNotOptimize(limits::read(std::as_bytes(for_limits(a->x.host, a->x.on(gs::device_kind::engine)))));
      }));
  add_gpu_limit(c, sizeof(float) * rows * (columns + 1));
  constexpr tolerance allowed{.relative = 2e-5};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("l2_norm", c, a->out, allowed, {{"x", a->x.host.read(), {rows, columns}}}));
  return c;
}

}  // namespace

workload l2_norm(std::size_t rows, std::size_t columns) {
  const auto n = static_cast<double>(rows), m = static_cast<double>(columns);
  return {.name = "l2_norm_" + std::to_string(columns),
          .text = "the norms of the rows of a matrix with " + std::to_string(columns) + " columns",
          .elements = rows,
          .dtype = "float32",
          .bytes = sizeof(float) * n * (m + 1),
          .operations = 2 * n * m,
          .memory = sizeof(float) * rows * (2 * columns + 4),
          .wanted = demand{demand::of_peer, 1.05, "1.05 x peer"},
          .prepare = [=] { return prepare_l2_norm(rows, columns); }};
}

}  // namespace bench
