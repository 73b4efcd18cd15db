// sort: random float32 numbers in ascending order, the input kept.
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

struct sort_arrays {
  explicit sort_arrays(std::size_t n) : x(n, [](std::size_t i) { return uniform(i, 1) - 0.5; }), out(n) {}
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_sort(std::size_t n) {
  const auto a = std::make_shared<sort_arrays>(n);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) { gs::sort(a->x.on(device), gs::out(a->out.on(device))); });
  c.add("tbb::parallel_sort of a copy", role::peer,
        repeated([a] { peers::parallel_sort(a->x.host.read(), a->out.host.span()); }));
  add_gpu_peer(c, "CUB", [a, n] {
    return peers::gpu::sort(a->x.on(gs::device_kind::cuda).data(), a->out.on(gs::device_kind::cuda).data(), n);
  });
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment("sort", c, a->out, {}, {{"x", a->x.host.read()}}));
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
          .wanted_of_gpu = demand{demand::of_peer, 1.3, "1.3 x CUB"},
          .prepare = [elements] { return prepare_sort(elements); }};
}

}  // namespace bench
