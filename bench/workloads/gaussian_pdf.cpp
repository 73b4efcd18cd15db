// gaussian_pdf: the probability density of a normal distribution, float32. One array in, one out, one exp.
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN float gaussian(float x, float center, float width) {
  const float z = (x - center) / width;
  return std::exp(-0.5f * z * z) / (width * 2.5066282746310002f);
}
inline constexpr auto gaussian_ufunc = gs::vectorize<gaussian>;

constexpr float mean = 0.25f, sigma = 1.5f;

struct gaussian_pdf_arrays {
  explicit gaussian_pdf_arrays(std::size_t n) : x(n, [](std::size_t i) { return 6 * uniform(i) - 3; }), out(n) {}
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_gaussian_pdf(std::size_t n) {
  const auto a = std::make_shared<gaussian_pdf_arrays>(n);
  const auto x = a->x.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, gaussian_ufunc, a->out, a->x, mean, sigma);
  add_peers(
      c, a, "OpenMP + libmvec", out, [=](stores how) { peers::gaussian_pdf(x, mean, sigma, out, how); },
      [=] { peers::plain::gaussian_pdf(x, mean, sigma, out); });
  add_copy_limits(c, a, a->x, a->out);
  constexpr tolerance allowed{.relative = 2e-6, .absolute = 1e-30};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("gaussian_pdf", c, a->out, allowed, {{"x", x}}, {{"mean", mean}, {"sigma", sigma}}));
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
