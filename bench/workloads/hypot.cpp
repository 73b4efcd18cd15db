// hypot: the length of (x, y), float32, by the textbook's formula: nothing as large as x * x is ever computed. Two
// arrays in, one out, a division and a root.
#include <algorithm>
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float hypot_textbook(float x, float y) {
  const float p = std::fabs(x), q = std::fabs(y);
  const float larger = p < q ? q : p, t = (q < p ? q : p) / larger;
  return larger * std::sqrt(1 + t * t);
}
inline constexpr auto hypot_ufunc = gs::vectorize<hypot_textbook>;

struct hypot_arrays {
  explicit hypot_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return 200 * uniform(i, 1) - 100; }),
        y(n, [](std::size_t i) { return 200 * uniform(i, 2) - 100; }),
        out(n) {}
  array_everywhere<float> x, y;
  outputs<float> out;
};

contest prepare_hypot(std::size_t n) {
  const auto a = std::make_shared<hypot_arrays>(n);
  const auto x = a->x.host.read(), y = a->y.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, hypot_ufunc, a->out, a->x, a->y);
  add_peers(
      c, a, "OpenMP", out, [=](stores how) { peers::hypot(x, y, out, how); }, [=] { peers::plain::hypot(x, y, out); });
  add_triad_limits(c, a, a->x, a->y, a->out);
  constexpr tolerance allowed{.relative = 5e-7};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("hypot", c, a->out, allowed, {{"x", x}, {"y", y}}));
  return c;
}

}  // namespace

workload hypot(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "hypot",
          .text = "the length of (x, y) by the textbook's formula",
          .elements = elements,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * n,
          .operations = 5 * n,
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_hypot(elements); }};
}

}  // namespace bench
