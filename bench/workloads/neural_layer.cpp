// neural_layer: normalize, weigh, activate, as one ufunc. Two arrays in, one out, two exps and two divisions.
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

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
  explicit neural_layer_arrays(std::size_t n) : grey(n), weight(n), out(n) {
    fill(grey.span(), [](std::size_t i) { return std::floor(256 * uniform(i, 1)); });
    fill(weight.span(), [](std::size_t i) { return 0.2 + 0.6 * uniform(i, 2); });
    grey_device = gs::to_device(grey.span());
    weight_device = gs::to_device(weight.span());
  }
  large_buffer<float> grey, weight;
  gs::device_array<float> grey_device, weight_device;
  outputs<float> out;
};

contest prepare_neural_layer(std::size_t n) {
  const auto a = std::make_shared<neural_layer_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          layer_ufunc(a->grey_device, a->weight_device, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours, repeated([a] {
          layer_ufunc.on(gs::target::parallel)(a->grey.span(), a->weight.span(), gs::out(a->out.host.span()));
        }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("OpenMP + libmvec, " + to_string(how), role::peer,
          repeated([a, how] { peers::neural_layer(a->grey.read(), a->weight.read(), a->out.host.span(), how); }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("triad, " + to_string(how), role::limit,
          repeated([a, how] { limits::triad(a->out.host.span(), a->grey.read(), a->weight.read(), how); }));
  // The difference of two numbers near 1: absolute, as float32 gives it.
  constexpr tolerance allowed{.relative = 2e-6, .absolute = 5e-7};
  check_agreement(c, a->out, allowed);
  c.ask_outside(asked("neural_layer", c, a->out, allowed, {{"grey", a->grey.read()}, {"weight", a->weight.read()}}));
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
