// matmul_of_each: the products of many pairs of small matrices, float32. A generalised ufunc whose loop is over pairs.
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"
#include "runtime/array/xtensor.h"

namespace bench {
namespace {

// Numbers of a row that are computed side by side, in registers. (A loop of 16 is unrolled before it can be
// vectorised.)
constexpr std::size_t strip = 32;

GS_FN void product_of_pair(gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  const std::size_t inner = b.extent(0), columns = c.extent(1), strips_end = columns / strip * strip;
  for (std::size_t i = 0; i < c.extent(0); ++i) {
    for (std::size_t j = 0; j < strips_end; j += strip) {
      float sum[strip] = {};
      for (std::size_t k = 0; k < inner; ++k)
        for (std::size_t x = 0; x < strip; ++x) sum[x] += a(i, k) * b(k, j + x);
      for (std::size_t x = 0; x < strip; ++x) c(i, j + x) = sum[x];
    }
    for (std::size_t j = strips_end; j < columns; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < inner; ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  }
}
inline constexpr auto product_of_each = gs::guvectorize<product_of_pair, "(m,n),(n,p)->(m,p)">;

struct pairs_of_matrices {
  pairs_of_matrices(std::size_t count, std::size_t side)
      : count(count),
        side(side),
        a(count * side * side, [](std::size_t i) { return uniform(i, 1) - 0.5; }),
        b(count * side * side, [](std::size_t i) { return uniform(i, 2) - 0.5; }),
        out(count * side * side) {}
  auto matrices(const array_everywhere<float>& x) const {
    return xt::adapt(x.host.data(), x.host.size(), xt::no_ownership(), std::array{count, side, side});
  }
  gs::device_array<float> matrices(const array_everywhere<float>& x, gs::device_kind device) const {
    const auto extent = static_cast<std::ptrdiff_t>(side);
    return x.on(device).reshape({-1, extent, extent});
  }
  std::size_t count, side;
  array_everywhere<float> a, b;
  outputs<float> out;
};

contest prepare_matmul_of_each(std::size_t count, std::size_t side) {
  const auto p = std::make_shared<pairs_of_matrices>(count, side);
  const auto a = p->a.host.read(), b = p->b.host.read();
  const auto out = p->out.host.span();
  contest c;
  add_targets(
      c, out.size(),
      [p](gs::device_kind device) {
        product_of_each(p->matrices(p->a, device), p->matrices(p->b, device), gs::out(p->matrices(p->out, device)));
      },
      [p](gs::target target) {
        product_of_each.on(target)(p->matrices(p->a), p->matrices(p->b), gs::out(p->matrices(p->out)));
      });
  const auto loop = repeated([p, a, b, out, side] { peers::matmul_of_each(a, b, out, side); });
  c.add("OpenMP, rows in registers", role::peer, loop);
  if (out.size() <= one_core_most) {
    c.add("OpenMP, one core", role::peer, hardware::one_core, on_one_core(loop));
    c.add("plain loop, one core", role::peer, hardware::one_core,
          repeated([p, a, b, out, side] { peers::plain::matmul_of_each(a, b, out, side); }));
  }
  add_triad_limits(c, p, p->a, p->b, p->out);
  const tolerance allowed{.absolute = 1e-6 * static_cast<double>(side)};
  check_agreement(c, p->out, allowed);
  const std::vector<std::size_t> shape{count, side, side};
  c.ask_outside(make_assignment("matmul_of_each", c, p->out, allowed, {{"a", a, shape}, {"b", b, shape}}, {}, shape));
  return c;
}

}  // namespace

workload matmul_of_each(std::size_t count, std::size_t side) {
  const auto n = static_cast<double>(count * side * side);
  return {.name = "matmul_of_each",
          .text = "the product of each pair of matrices of " + std::to_string(side) + " x " + std::to_string(side),
          .elements = count * side * side,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * n,
          .operations = 2 * static_cast<double>(side) * n,
          .memory = 8 * sizeof(float) * count * side * side,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [=] { return prepare_matmul_of_each(count, side); }};
}

}  // namespace bench
