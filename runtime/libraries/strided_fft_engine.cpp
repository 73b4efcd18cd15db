// Strided transforms on the engine, by FFTW's advanced interface: FFTW manual, "Advanced Complex DFTs", "Advanced
// Real-data DFTs".

#include <map>
#include <mutex>
#include <tuple>

#include "runtime/core/error.h"
#include "runtime/libraries/fftw.h"
#include "runtime/libraries/strided_fft.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

template <class T>
class strided_plans {
  using api = fftw<T>;
  using complex = typename api::complex;

 public:
  static strided_plans& get() {
    static auto* const plans = new strided_plans;  // never destroyed: queued transforms may run while the program ends
    return *plans;
  }

  typename api::plan find(const strided_fft_layout& layout, void* in, void* out) {
    const std::tuple key(layout, api::alignment(static_cast<T*>(in)), api::alignment(static_cast<T*>(out)), in == out);
    const std::lock_guard lock(mutex_);
    const std::lock_guard planner(plans<T>().planner());
    api::set_loop();
    auto& plan = plans_[key];
    if (!plan) plan = make(layout, in, out);
    if (!plan) throw error("a Fourier transform", "FFTW has no plan for this layout", "use another one");
    return plan;
  }

 private:
  static typename api::plan make(const strided_fft_layout& l, void* in, void* out) {
    std::size_t points = static_cast<std::size_t>(l.batch);
    for (const int extent : l.extents) points *= static_cast<std::size_t>(extent);
    api::plan_with_threads(points >= least_parallel ? static_cast<int>(core_count()) : 1);
    const int *n = l.extents.data(), *in_width = l.in.width.data(), *out_width = l.out.width.data();
    const unsigned keeps_input = l.dimensions == 1 ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
    switch (l.kind) {
      case fft_kind::forward:
      case fft_kind::inverse:
        return api::plan_complex(l.dimensions, n, l.batch, static_cast<complex*>(in), in_width, l.in.stride,
                                 l.in.distance, static_cast<complex*>(out), out_width, l.out.stride, l.out.distance,
                                 l.kind == fft_kind::forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
      case fft_kind::real_forward:
        return api::plan_forward(l.dimensions, n, l.batch, static_cast<T*>(in), in_width, l.in.stride, l.in.distance,
                                 static_cast<complex*>(out), out_width, l.out.stride, l.out.distance, FFTW_ESTIMATE);
      case fft_kind::real_inverse:
        return api::plan_inverse(l.dimensions, n, l.batch, static_cast<complex*>(in), in_width, l.in.stride,
                                 l.in.distance, static_cast<T*>(out), out_width, l.out.stride, l.out.distance,
                                 FFTW_ESTIMATE | (in == out ? 0 : keeps_input));
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::map<std::tuple<strided_fft_layout, int, int, bool>, typename api::plan> plans_;
};

}  // namespace

template <class T>
void run_strided_fft(const strided_fft_layout& layout, void* in, void* out) {
  execute<T>(layout.kind, strided_plans<T>::get().find(layout, in, out), in, out);
}
template void run_strided_fft<float>(const strided_fft_layout&, void*, void*);
template void run_strided_fft<double>(const strided_fft_layout&, void*, void*);

}  // namespace gs::inline GS_FLAVOUR::detail
