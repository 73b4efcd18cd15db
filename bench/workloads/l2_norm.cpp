// l2_norm: the Euclidean norm of every row of a matrix, float32. A generalised ufunc with a reduction inside.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN void l2(gs::view<const float> x, float& norm) {
  norm = std::sqrt(gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; }));
}
inline constexpr auto l2_ufunc = gs::guvectorize<l2, "(i)->()">;

auto as_matrix(const large_buffer<float>& x, std::size_t columns) {
  return xt::adapt(x.data(), x.size(), xt::no_ownership(), std::array{x.size() / columns, columns});
}

struct l2_norm_arrays {
  l2_norm_arrays(std::size_t rows, std::size_t columns) : columns(columns), x(rows * columns), out(rows) {
    fill(x.span(), [](std::size_t i) { return 2 * uniform(i) - 1; });
    x_device = gs::to_device(as_matrix(x, columns));
  }
  std::size_t columns;
  large_buffer<float> x;
  gs::device_array<float> x_device;
  outputs<float> out;
};

contest prepare_l2_norm(std::size_t rows, std::size_t columns) {
  const auto a = std::make_shared<l2_norm_arrays>(rows, columns);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          l2_ufunc(a->x_device, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours,
        repeated([a] { l2_ufunc.on(gs::target::parallel)(as_matrix(a->x, a->columns), gs::out(a->out.host.span())); }));
  c.add("OpenMP", role::peer, repeated([a] { peers::l2_norm(a->x.read(), a->columns, a->out.host.span()); }));
  c.add("read", role::limit,
        repeated([a] { benchmark::DoNotOptimize(limits::read(std::as_bytes(for_limits(a->x, a->x_device)))); }));
  constexpr tolerance allowed{.relative = 1e-5};
  check_agreement(c, a->out, allowed);
  c.ask_outside(asked("l2_norm", c, a->out, allowed, {{"x", a->x.read(), {rows, columns}}}));
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
