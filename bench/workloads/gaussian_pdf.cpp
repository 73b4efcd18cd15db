// gaussian_pdf: the probability density of a normal distribution, float32. One array in, one out, one exp.
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN float gaussian(float x, float center, float width) {
  const float z = (x - center) / width;
  return std::exp(-0.5f * z * z) / (width * 2.5066282746310002f);
}
inline constexpr auto gaussian_ufunc = gs::vectorize<gaussian>;

constexpr float mean = 0.25f, sigma = 1.5f;

struct gaussian_pdf_arrays {
  explicit gaussian_pdf_arrays(std::size_t n) : x(n), out(n) {
    fill(x.span(), [](std::size_t i) { return 6 * uniform(i) - 3; });
    x_device = gs::to_device(x.span());
  }
  large_buffer<float> x;
  gs::device_array<float> x_device;
  outputs<float> out;
};

contest prepare_gaussian_pdf(std::size_t n) {
  const auto a = std::make_shared<gaussian_pdf_arrays>(n);
  contest c;
  c.add("engine", role::ours, repeated([a] {
          gaussian_ufunc(a->x_device, mean, sigma, gs::out(a->out.device));
          gs::synchronize();
        }));
  c.add("parallel", role::ours, repeated([a] {
          gaussian_ufunc.on(gs::target::parallel)(a->x.span(), mean, sigma, gs::out(a->out.host.span()));
        }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("OpenMP + libmvec, " + to_string(how), role::peer,
          repeated([a, how] { peers::gaussian_pdf(a->x.read(), mean, sigma, a->out.host.span(), how); }));
  for (const stores how : {stores::streaming, stores::plain})
    c.add("copy, " + to_string(how), role::limit, repeated([a, how] {
            limits::copy(std::as_bytes(a->x.read()), std::as_writable_bytes(a->out.host.span()), how);
          }));
  constexpr tolerance allowed{.relative = 2e-6, .absolute = 1e-30};
  check_agreement(c, a->out, allowed);
  c.ask_outside(asked("gaussian_pdf", c, a->out, allowed, {{"x", a->x.read()}}, {{"mean", mean}, {"sigma", sigma}}));
  return c;
}

}  // namespace

workload gaussian_pdf(std::size_t elements) {
  const auto n = static_cast<double>(elements);
  return {.name = "gaussian_pdf",
          .text = "density of a normal distribution; mean and sigma are scalars",
          .elements = elements,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * n,
          .memory = 6 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_gaussian_pdf(elements); }};
}

}  // namespace bench
