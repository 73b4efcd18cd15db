// sort: random float32 numbers in ascending order, the input kept.
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

struct sort_arrays {
  explicit sort_arrays(std::size_t n) : x(n), out(n) {
    fill(x.span(), [](std::size_t i) { return uniform(i, 1) - 0.5; });
    x_device = gs::to_device(x.span());
  }
  large_buffer<float> x;
  gs::device_array<float> x_device;
  outputs<float> out;
};

contest prepare_sort(std::size_t n) {
  const auto a = std::make_shared<sort_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          gs::sort(a->x_device, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("tbb::parallel_sort of a copy", role::peer,
        repeated([a] { peers::parallel_sort(a->x.read(), a->out.host.span()); }));
  check_agreement(c, a->out, {});
  c.ask_outside(asked("sort", c, a->out, {}, {{"x", a->x.read()}}));
  return c;
}

}  // namespace

workload sort(std::size_t elements) {
  return {.name = "sort",
          .text = "random numbers in ascending order",
          .elements = elements,
          .dtype = "float32",
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1, "1 x peer"},
          .prepare = [elements] { return prepare_sort(elements); }};
}

}  // namespace bench
