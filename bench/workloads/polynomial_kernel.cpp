// polynomial_kernel: a kernel in thread style that has no barrier. It shows that the threads of a block are a loop of
// vector instructions: one element at a time would take eight to sixteen times as long.
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

constexpr int degree = 15;  // g++ unrolls inner loops of up to 16 rounds, and then vectorises the loop around them

GS_FN float polynomial(float x) {
  float sum = 1;
  for (int k = 0; k < degree; ++k) sum = sum * x + 1;  // Horner: 1 + x + x^2 + ...
  return sum;
}
GS_FN void by_threads(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  if (t.grid() < x.size()) y[t.grid()] = polynomial(x[t.grid()]);
}
GS_FN void by_grid_stride(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(x.size())) y[i] = polynomial(x[i]);
}

struct polynomial_kernel_arrays {
  explicit polynomial_kernel_arrays(std::size_t n) : x(n, [](std::size_t i) { return uniform(i) - 0.5; }), out(n) {}
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_polynomial_kernel(std::size_t n) {
  const auto a = std::make_shared<polynomial_kernel_arrays>(n);
  contest c;
  add_ours(c, "a thread per element", [a, n](gs::device_kind device) {
    gs::launch<by_threads>({.grid = (n + 255) / 256, .block = 256}, a->x.on(device), a->out.on(device));
  });
  add_ours(c, "grid stride", [a](gs::device_kind device) {
    const bool on_engine = device == gs::device_kind::engine;
    gs::launch<by_grid_stride>({.grid = on_engine ? 32 : 264, .block = on_engine ? 32 : 256}, a->x.on(device),
                               a->out.on(device));
  });
  c.add("OpenMP", role::peer, repeated([a] { peers::polynomial(a->x.host.read(), degree, a->out.host.span()); }));
  add_gpu_limit(c, 2 * sizeof(float) * n);
  constexpr tolerance allowed{.relative = 1e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(
      make_assignment("polynomial_kernel", c, a->out, allowed, {{"x", a->x.host.read()}}, {{"degree", degree}}));
  return c;
}

}  // namespace

workload polynomial_kernel(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "polynomial_kernel",
          .text = "a kernel without barriers: 15 multiply-adds for each element, in cache",
          .elements = elements,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * n,
          .operations = 2 * degree * n,
          .memory = 6 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .prepare = [elements] { return prepare_polynomial_kernel(elements); }};
}

}  // namespace bench
