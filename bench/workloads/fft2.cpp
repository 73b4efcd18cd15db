// fft2: the Fourier transform of a square of complex64 numbers in both dimensions.
#include <cmath>

#include "bench/measure/agreement.h"
#include "bench/measure/input.h"
#include "bench/measure/large_buffer.h"
#include "bench/peers/peers.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

using complex64 = std::complex<float>;

struct fft2_arrays {
  explicit fft2_arrays(std::size_t side) : x(side * side), out(side * side), peer(x.read(), out.span(), side) {
    const auto extent = static_cast<std::ptrdiff_t>(side);
    for (std::size_t i = 0; i < x.size(); ++i)
      x.span()[i] = {static_cast<float>(uniform(i, 1)) - 0.5f, static_cast<float>(uniform(i, 2)) - 0.5f};
    x_device = gs::to_device(x.span()).reshape({extent, extent});
    out_device = gs::device_array_like(x_device);
  }
  void run_ours() {
    gs::fft2(x_device, gs::out(out_device));
    gs::synchronize();
  }
  large_buffer<complex64> x, out;
  gs::device_array<complex64> x_device, out_device;
  peers::fft2 peer;
};

std::span<const float> as_floats(std::span<const complex64> x) {
  return {reinterpret_cast<const float*>(x.data()), 2 * x.size()};
}

contest prepare_fft2(std::size_t side) {
  const auto a = std::make_shared<fft2_arrays>(side);
  contest c;
  c.add("engine", role::ours, repeated([a] { a->run_ours(); }));
  c.add("FFTW, its own threads", role::peer, repeated([a] { a->peer(); }));
  a->run_ours();
  a->peer();
  // The numbers of a spectrum are about as large as the square root of how many were added.
  const auto ours = a->out_device.copy_to_host();
  const tolerance allowed{.absolute = 1e-5 * static_cast<double>(side)};
  expect_agreement("engine", as_floats(ours), "FFTW", as_floats(a->out.read()), allowed);
  c.ask_outside({.task = "fft2",
                 .inputs = {{"x", a->x.read(), {side, side}}},
                 .output = array_of<complex64>({side, side}),
                 .check = [a, allowed](const std::string& who, std::span<const std::byte> result) {
                   expect_agreement(who, {reinterpret_cast<const float*>(result.data()), 2 * a->out.size()}, "FFTW",
                                    as_floats(a->out.read()), allowed);
                 }});
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
          .prepare = [side] { return prepare_fft2(side); }};
}

}  // namespace bench
