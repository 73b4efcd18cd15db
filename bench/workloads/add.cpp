// add: the sum of two arrays, float32. Nothing but memory traffic.
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float sum(float x, float y) { return x + y; }
inline constexpr auto sum_ufunc = gs::vectorize<sum>;

struct add_arrays {
  explicit add_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return uniform(i, 1); }), y(n, [](std::size_t i) { return uniform(i, 2); }), out(n) {}
  array_everywhere<float> x, y;
  outputs<float> out;
};

contest prepare_add(std::size_t n) {
  const auto a = std::make_shared<add_arrays>(n);
  const auto x = a->x.host.read(), y = a->y.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, sum_ufunc, a->out, a->x, a->y);
  add_peers(
      c, a, "OpenMP", out, [=](stores how) { peers::add(x, y, out, how); }, [=] { peers::plain::add(x, y, out); });
  add_triad_limits(c, a, a->x, a->y, a->out);
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment("add", c, a->out, {}, {{"x", a->x.host.read()}, {"y", a->y.host.read()}}));
  return c;
}

}  // namespace

workload add(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "add",
          .text = "the sum of two arrays",
          .elements = elements,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * n,
          .operations = n,
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_limit, 1 / 0.9, "90 % of triad"},
          .prepare = [elements] { return prepare_add(elements); }};
}

}  // namespace bench
