#include <fftw3.h>

#include <algorithm>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"

namespace bench::peers {
namespace {

fftwf_complex* spectrum_of(const std::vector<std::complex<float>>& s) {
  return reinterpret_cast<fftwf_complex*>(const_cast<std::complex<float>*>(s.data()));
}

}  // namespace

fft_mask::fft_mask(std::span<const float> x, std::span<float> out, std::size_t rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      spectrum_(rows * (columns / 2 + 1)),
      forward_(nullptr, [](void* plan) { fftwf_destroy_plan(static_cast<fftwf_plan>(plan)); }),
      inverse_(nullptr, forward_.get_deleter()) {
  const auto high = static_cast<int>(rows), wide = static_cast<int>(columns);
  fftwf_init_threads();
  fftwf_plan_with_nthreads(static_cast<int>(limits::threads()));
  forward_.reset(
      fftwf_plan_dft_r2c_2d(high, wide, const_cast<float*>(x.data()), spectrum_of(spectrum_), FFTW_ESTIMATE));
  inverse_.reset(fftwf_plan_dft_c2r_2d(high, wide, spectrum_of(spectrum_), out.data(), FFTW_ESTIMATE));
}

void fft_mask::operator()(std::size_t least) {
#if GRIDSTRIDE_FFTW_TAKES_A_LOOP
  fftwf_threads_set_callback(nullptr, nullptr);  // FFTW's own threads
#endif
  fftwf_execute(static_cast<fftwf_plan>(forward_.get()));
  const std::size_t width = columns_ / 2 + 1;
  const float scale = 1 / static_cast<float>(rows_ * columns_);  // FFTW's inverse isn't divided
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < rows_; ++r) {
    std::complex<float>* const row = spectrum_.data() + r * width;
    const std::size_t down = std::min(r, rows_ - r);
    for (std::size_t c = 0; c < width; ++c) row[c] = down < least && c < least ? 0 : row[c] * scale;
  }
  fftwf_execute(static_cast<fftwf_plan>(inverse_.get()));
}

}  // namespace bench::peers
