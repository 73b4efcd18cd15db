// add: the sum of two arrays, float32. Nothing but memory traffic.
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN float sum(float x, float y) { return x + y; }
inline constexpr auto sum_ufunc = gs::vectorize<sum>;

struct add_arrays {
  explicit add_arrays(std::size_t n) : x(n), y(n), out(n) {
    fill(x.span(), [](std::size_t i) { return uniform(i, 1); });
    fill(y.span(), [](std::size_t i) { return uniform(i, 2); });
    x_device = gs::to_device(x.span());
    y_device = gs::to_device(y.span());
  }
  large_buffer<float> x, y;
  gs::device_array<float> x_device, y_device;
  outputs<float> out;
};

contest prepare_add(std::size_t n) {
  const auto a = std::make_shared<add_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          sum_ufunc(a->x_device, a->y_device, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours,
        repeated([a] { sum_ufunc.on(gs::target::parallel)(a->x.span(), a->y.span(), gs::out(a->out.host.span())); }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("OpenMP, " + to_string(how), role::peer,
          repeated([a, how] { peers::add(a->x.read(), a->y.read(), a->out.host.span(), how); }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("triad, " + to_string(how), role::limit,
          repeated([a, how] { limits::triad(a->out.host.span(), a->x.read(), a->y.read(), how); }));
  check_agreement(c, a->out, {});
  c.ask_outside(asked("add", c, a->out, {}, {{"x", a->x.read()}, {"y", a->y.read()}}));
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
