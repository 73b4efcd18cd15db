// zero_suppress: samples below a threshold become 0, int16. One array in, one out, half the bytes of float32.
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN std::int16_t suppress(std::int16_t sample, std::int16_t least) {
  return sample < least ? std::int16_t{0} : sample;
}
inline constexpr auto suppress_ufunc = gs::vectorize<suppress>;

constexpr std::int16_t threshold = 15;

struct zero_suppress_arrays {
  explicit zero_suppress_arrays(std::size_t n) : x(n, [](std::size_t i) { return 100 * uniform(i) - 50; }), out(n) {}
  array_everywhere<std::int16_t> x;
  outputs<std::int16_t> out;
};

contest prepare_zero_suppress(std::size_t n) {
  const auto a = std::make_shared<zero_suppress_arrays>(n);
  const auto x = a->x.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, suppress_ufunc, a->out, a->x, threshold);
  add_peers(
      c, a, "OpenMP", out, [=](stores how) { peers::zero_suppress(x, threshold, out, how); },
      [=] { peers::plain::zero_suppress(x, threshold, out); });
  add_copy_limits(c, a, a->x, a->out);
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment("zero_suppress", c, a->out, {}, {{"x", a->x.host.read()}}, {{"threshold", threshold}}));
  return c;
}

}  // namespace

workload zero_suppress(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "zero_suppress",
          .text = "samples below a threshold become 0; the threshold is a scalar",
          .elements = elements,
          .dtype = "int16",
          .bytes = 2 * sizeof(std::int16_t) * n,
          .memory = 6 * sizeof(std::int16_t) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_zero_suppress(elements); }};
}

}  // namespace bench
