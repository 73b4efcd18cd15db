// fft_mask: a picture without its slow waves: transformed, masked and transformed back, all on the device. Two calls
// of a library with a kernel between them.
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

GS_FN void mask_slow_waves(gs::thread t, std::size_t least, gs::view<std::complex<float>, 2> s) {
  const std::size_t rows = s.extent(0);
  for (auto r : t.grid_stride_y(rows)) {
    const std::size_t down = r < rows - r ? r : rows - r;
    for (auto c : t.grid_stride(s.extent(1)))
      if (down < least && c < least) s(r, c) = std::complex<float>();
  }
}

constexpr std::size_t least = 8;

struct fft_mask_arrays {
  fft_mask_arrays(std::size_t rows, std::size_t columns)
      : rows(static_cast<std::ptrdiff_t>(rows)),
        x(rows * columns, [](std::size_t i) { return uniform(i); }),
        spectrum(rows * (columns / 2 + 1)),
        out(rows * columns),
        peer(x.host.read(), out.host.span(), rows, columns) {}
  void run_ours(gs::device_kind device) {
    auto s = spectrum.on(device).reshape({rows, -1});
    gs::rfft2(x.on(device).reshape({rows, -1}), gs::out(s));
    gs::launch<mask_slow_waves>({.grid = {4, 32}, .block = {32, 8}}, least, s);
    gs::irfft2(s, gs::out(out.on(device).reshape({rows, -1})));
    gs::synchronize();
  }
  std::ptrdiff_t rows;
  array_everywhere<float> x;
  array_everywhere<std::complex<float>> spectrum;
  outputs<float> out;
  peers::fft_mask peer;
};

contest prepare_fft_mask(std::size_t rows, std::size_t columns) {
  const auto a = std::make_shared<fft_mask_arrays>(rows, columns);
  contest c;
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device), role::ours, hardware_of(device),
          on(device, repeated([a, device] { a->run_ours(device); })));
  c.add("FFTW, its own threads, and a loop", role::peer, repeated([a] { a->peer(least); }));
  add_gpu_peer(c, "cuFFT and a kernel", [a, rows, columns] {
    constexpr auto gpu = gs::device_kind::cuda;
    return peers::gpu::fft_mask(a->x.on(gpu).data(), a->out.on(gpu).data(), rows, columns, least);
  });
  constexpr tolerance allowed{.absolute = 1e-5};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("fft_mask", c, a->out, allowed, {{"x", a->x.host.read(), {rows, columns}}},
                                {{"least", least}}, {rows, columns}));
  return c;
}

}  // namespace

workload fft_mask(std::size_t rows, std::size_t columns) {
  const std::size_t elements = rows * columns;
  const auto n = static_cast<double>(elements);
  return {.name = "fft_mask",
          .text = "a picture of " + std::to_string(rows) + " x " + std::to_string(columns) +
                  " without its slow waves: transform, mask, transform back",
          .elements = elements,
          .dtype = "float32",
          .operations = 5 * n * std::log2(n),  // a real transform is half a complex one, and there are two
          .memory = 10 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .wanted_of_gpu = demand{demand::of_peer, 1.15, "1.15 x cuFFT"},
          .prepare = [=] { return prepare_fft_mask(rows, columns); }};
}

}  // namespace bench
