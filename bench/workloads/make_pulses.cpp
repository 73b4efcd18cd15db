// make_pulses: a train of pulses, the tips of a sine wave, float32. Two arrays in, one out, a sine and a branch.
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float pulse(float time, float period, float height) {
  const float tip = (std::sin(6.28318531f * time / period) - 0.3f) / 0.7f;
  return tip > 0 ? tip * height : 0;
}
inline constexpr auto pulse_ufunc = gs::vectorize<pulse>;

constexpr float period = 4000;

struct make_pulses_arrays {
  explicit make_pulses_arrays(std::size_t n)
      : time(n, [](std::size_t i) { return i % 100'000; }),
        height(n, [=](std::size_t i) { return 100 - 50 * static_cast<double>(i) / static_cast<double>(n); }),
        out(n) {}
  array_everywhere<float> time, height;
  outputs<float> out;
};

contest prepare_make_pulses(std::size_t n) {
  const auto a = std::make_shared<make_pulses_arrays>(n);
  const auto time = a->time.host.read(), height = a->height.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, pulse_ufunc, a->out, a->time, period, a->height);
  add_peers(
      c, a, "OpenMP + libmvec", out, [=](stores how) { peers::make_pulses(time, period, height, out, how); },
      [=] { peers::plain::make_pulses(time, period, height, out); });
  add_triad_limits(c, a, a->time, a->height, a->out);
  // Heights of 100, of a sine that is rounded at 1.
  constexpr tolerance allowed{.relative = 1e-5, .absolute = 1e-4};
  check_agreement(c, a->out, allowed);
  c.ask_outside(
      make_assignment("make_pulses", c, a->out, allowed, {{"time", time}, {"height", height}}, {{"period", period}}));
  return c;
}

}  // namespace

workload make_pulses(std::size_t elements) {
  return {.name = "make_pulses",
          .text = "a train of pulses: the tips of a sine wave, each as high as an array says",
          .elements = elements,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * static_cast<double>(elements),
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_make_pulses(elements); }};
}

}  // namespace bench
