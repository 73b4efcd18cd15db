// zero_suppress: samples below a threshold become 0, int16. One array in, one out, half the bytes of float32.
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN std::int16_t suppress(std::int16_t sample, std::int16_t least) {
  return sample < least ? std::int16_t{0} : sample;
}
inline constexpr auto suppress_ufunc = gs::vectorize<suppress>;

constexpr std::int16_t threshold = 15;

struct zero_suppress_arrays {
  explicit zero_suppress_arrays(std::size_t n) : x(n), out(n) {
    fill(x.span(), [](std::size_t i) { return 100 * uniform(i) - 50; });
    x_device = gs::to_device(x.span());
  }
  large_buffer<std::int16_t> x;
  gs::device_array<std::int16_t> x_device;
  outputs<std::int16_t> out;
};

contest prepare_zero_suppress(std::size_t n) {
  const auto a = std::make_shared<zero_suppress_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          suppress_ufunc(a->x_device, threshold, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours, repeated([a] {
          suppress_ufunc.on(gs::target::parallel)(a->x.span(), threshold, gs::out(a->out.host.span()));
        }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("OpenMP, " + to_string(how), role::peer,
          repeated([a, how] { peers::zero_suppress(a->x.read(), threshold, a->out.host.span(), how); }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("copy, " + to_string(how), role::limit, repeated([a, how] {
            limits::copy(std::as_bytes(a->x.read()), std::as_writable_bytes(a->out.host.span()), how);
          }));
  check_agreement(c, a->out, {});
  c.ask_outside(asked("zero_suppress", c, a->out, {}, {{"x", a->x.read()}}, {{"threshold", threshold}}));
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
