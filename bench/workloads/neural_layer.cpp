// neural_layer: normalize, weigh, activate, as one ufunc. Two arrays in, one out, two exps and two divisions.
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float normalize(float grey) { return grey / 255.0f; }
GS_FN float weigh(float value, float weight) { return value * weight; }
GS_FN float activate(float value) {
  const float rising = std::exp(value), falling = std::exp(-value);
  return (rising - falling) / (rising + falling);
}
GS_FN float layer(float grey, float weight) { return activate(weigh(normalize(grey), weight)); }
inline constexpr auto layer_ufunc = gs::vectorize<layer>;

struct neural_layer_arrays {
  explicit neural_layer_arrays(std::size_t n)
      : grey(n, [](std::size_t i) { return std::floor(256 * uniform(i, 1)); }),
        weight(n, [](std::size_t i) { return 0.2 + 0.6 * uniform(i, 2); }),
        out(n) {}
  array_everywhere<float> grey, weight;
  outputs<float> out;
};

contest prepare_neural_layer(std::size_t n) {
  const auto a = std::make_shared<neural_layer_arrays>(n);
  const auto grey = a->grey.host.read(), weight = a->weight.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, layer_ufunc, a->out, a->grey, a->weight);
  add_peers(
      c, a, "OpenMP + libmvec", out, [=](stores how) { peers::neural_layer(grey, weight, out, how); },
      [=] { peers::plain::neural_layer(grey, weight, out); });
  add_triad_limits(c, a, a->grey, a->weight, a->out);
  // The difference of two numbers near 1: absolute, as float32 gives it.
  constexpr tolerance allowed{.relative = 2e-6, .absolute = 5e-7};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("neural_layer", c, a->out, allowed,
                                {{"grey", a->grey.host.read()}, {"weight", a->weight.host.read()}}));
  return c;
}

}  // namespace

workload neural_layer(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "neural_layer",
          .text = "grey / 255, times weight, tanh by exponentials: three steps, one ufunc",
          .elements = elements,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * n,
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_neural_layer(elements); }};
}

}  // namespace bench
