// fft2: the Fourier transform of a square of complex64 numbers in both dimensions.
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

using complex64 = std::complex<float>;

struct fft2_arrays {
  explicit fft2_arrays(std::size_t side)
      : x(side * side), out(side * side), peer(x.host.read(), out.host.span(), side) {
    for (std::size_t i = 0; i < x.host.size(); ++i)
      x.host.span()[i] = {static_cast<float>(uniform(i, 1)) - 0.5f, static_cast<float>(uniform(i, 2)) - 0.5f};
    x.set_all();
    x.reshape(static_cast<std::ptrdiff_t>(side), -1);
    out.reshape(static_cast<std::ptrdiff_t>(side), -1);
  }
  array_everywhere<complex64> x;
  outputs<complex64> out;
  peers::fft2 peer;
};

contest prepare_fft2(std::size_t side) {
  const auto a = std::make_shared<fft2_arrays>(side);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) { gs::fft2(a->x.on(device), gs::out(a->out.on(device))); });
  c.add("FFTW, its own threads", role::peer, repeated([a] { a->peer(); }));
  add_gpu_peer(c, "cuFFT", [a, side] {
    return peers::gpu::fft2(a->x.on(gs::device_kind::cuda).data(), a->out.on(gs::device_kind::cuda).data(), side);
  });
  // The numbers of a spectrum are about as large as the square root of how many were added.
  const tolerance allowed{.absolute = 1e-5 * static_cast<double>(side)};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("fft2", c, a->out, allowed, {{"x", a->x.host.read(), {side, side}}}, {}, {side, side}));
  return c;
}

}  // namespace

workload fft2(std::size_t side) {
  const std::size_t elements = side * side;
  const auto n = static_cast<double>(elements);
  return {.name = "fft2",
          .text = "the Fourier transform of a square in both dimensions",
          .elements = elements,
          .dtype = "complex64",
          .operations = 5 * n * std::log2(n),
          .memory = 5 * sizeof(complex64) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .wanted_of_gpu = demand{demand::of_peer, 1.15, "1.15 x cuFFT"},
          .prepare = [side] { return prepare_fft2(side); }};
}

}  // namespace bench
