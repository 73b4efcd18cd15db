#include <fftw3.h>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"

namespace bench::peers {
namespace {

fftwf_complex* as_fftw(const std::complex<float>* x) {
  return reinterpret_cast<fftwf_complex*>(const_cast<std::complex<float>*>(x));
}

}  // namespace

fft2::fft2(std::span<const std::complex<float>> x, std::span<std::complex<float>> out, std::size_t side)
    : plan_(
          [&] {
            const auto n = static_cast<int>(side);
            fftwf_init_threads();
            fftwf_plan_with_nthreads(static_cast<int>(limits::threads()));
            return fftwf_plan_dft_2d(n, n, as_fftw(x.data()), as_fftw(out.data()), FFTW_FORWARD, FFTW_ESTIMATE);
          }(),
          [](void* plan) { fftwf_destroy_plan(static_cast<fftwf_plan>(plan)); }) {}

void fft2::operator()() const {
#if GRIDSTRIDE_FFTW_TAKES_A_LOOP
  fftwf_threads_set_callback(nullptr, nullptr);  // FFTW's own threads
#endif
  fftwf_execute(static_cast<fftwf_plan>(plan_.get()));
}

}  // namespace bench::peers
