// Transforms on the engine: FFTW, whose parallel loops run on the engine's cores through oneTBB.
#include <fftw3.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "runtime/core/error.h"
#include "runtime/engine/cores.h"
#include "runtime/instruments/observe.h"
#include "runtime/libraries/fft_call.h"

namespace gs::inline GS_FLAVOUR {
namespace {

void run_jobs(void* (*work)(char*), char* jobs, std::size_t job_bytes, int count, void*) {
  for_pieces(static_cast<std::size_t>(count), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t job = begin; job < end; ++job) work(jobs + job * job_bytes);
  });
}

// FFTW's functions of one precision, under one name.
template <class T>
struct fftw;
template <>
struct fftw<float> {
  using plan = fftwf_plan;
  using complex = fftwf_complex;
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto set_loop = fftwf_threads_set_callback;
  static constexpr auto plan_with_threads = fftwf_plan_with_nthreads;
  static constexpr auto plan_complex = fftwf_plan_many_dft;
  static constexpr auto plan_forward = fftwf_plan_many_dft_r2c;
  static constexpr auto plan_inverse = fftwf_plan_many_dft_c2r;
  static constexpr auto execute_complex = fftwf_execute_dft;
  static constexpr auto execute_forward = fftwf_execute_dft_r2c;
  static constexpr auto execute_inverse = fftwf_execute_dft_c2r;
  static constexpr auto alignment = fftwf_alignment_of;
};
template <>
struct fftw<double> {
  using plan = fftw_plan;
  using complex = fftw_complex;
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto set_loop = fftw_threads_set_callback;
  static constexpr auto plan_with_threads = fftw_plan_with_nthreads;
  static constexpr auto plan_complex = fftw_plan_many_dft;
  static constexpr auto plan_forward = fftw_plan_many_dft_r2c;
  static constexpr auto plan_inverse = fftw_plan_many_dft_c2r;
  static constexpr auto execute_complex = fftw_execute_dft;
  static constexpr auto execute_forward = fftw_execute_dft_r2c;
  static constexpr auto execute_inverse = fftw_execute_dft_c2r;
  static constexpr auto alignment = fftw_alignment_of;
};

// Plans, made once for each layout and alignment; they can be used by several threads at a time, the planner by one.
// Planning by estimate leaves the arrays alone.
template <class T>
class plan_cache {
  using api = fftw<T>;
  using complex = typename api::complex;

 public:
  plan_cache() { api::init_threads(); }

  typename api::plan get(const fft_layout& layout, void* in, void* out) {
    const std::tuple key(layout, api::alignment(static_cast<T*>(in)), api::alignment(static_cast<T*>(out)), in == out);
    std::lock_guard lock(mutex_);
    api::set_loop(run_jobs, nullptr);  // each time: a program that uses FFTW itself may have set another
    auto& plan = plans_[key];
    if (!plan) plan = make(layout, in, out);
    if (!plan) throw error("a Fourier transform", "FFTW has no plan for this shape", "use another shape");
    return plan;
  }

 private:
  // Below it, waking another core takes longer than the transform.
  static constexpr std::size_t least_parallel = 1 << 15;

  static typename api::plan make(const fft_layout& l, void* in, void* out) {
    const bool parallel = l.elements() * static_cast<std::size_t>(l.rows) >= least_parallel;
    api::plan_with_threads(parallel ? static_cast<int>(core_count()) : 1);
    const int all = static_cast<int>(l.elements()), spectrum = static_cast<int>(l.spectrum_elements());
    const int *n = l.extents.data(), *packed = nullptr;
    auto *complex_in = static_cast<complex*>(in), *complex_out = static_cast<complex*>(out);
    switch (l.kind) {
      case fft_kind::forward:
      case fft_kind::inverse:
        return api::plan_complex(l.dimensions, n, l.rows, complex_in, packed, 1, all, complex_out, packed, 1, all,
                                 l.kind == fft_kind::forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
      case fft_kind::real_forward:
        return api::plan_forward(l.dimensions, n, l.rows, static_cast<T*>(in), packed, 1, all, complex_out, packed, 1,
                                 spectrum, FFTW_ESTIMATE);
      case fft_kind::real_inverse:
        return api::plan_inverse(l.dimensions, n, l.rows, complex_in, packed, 1, spectrum, static_cast<T*>(out), packed,
                                 1, all, FFTW_ESTIMATE);
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::map<std::tuple<fft_layout, int, int, bool>, typename api::plan> plans_;
};

template <class T>
plan_cache<T>& plans() {
  static auto* cache = new plan_cache<T>;  // never destroyed: queued transforms may run while the program ends
  return *cache;
}

constexpr std::size_t grain = 1 << 16;  // bytes or numbers that a core copies or scales at a time

void copy(void* to, const void* from, std::size_t bytes) {
  for_pieces(bytes, grain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  });
}

#if GRIDSTRIDE_CHECKED
template <class T>
void note_accesses(const fft_call<T>& call) {
  const fft_layout& l = call.layout;
  const std::size_t rows = static_cast<std::size_t>(l.rows), real = l.elements() * rows * sizeof(T);
  const std::size_t spectrum = l.spectrum_elements() * rows * 2 * sizeof(T);
  instruments::name_work("fft");
  instruments::note_read(call.in, l.kind == fft_kind::real_forward   ? real
                                  : l.kind == fft_kind::real_inverse ? spectrum
                                                                     : 2 * real);
  instruments::note_written(call.out, l.kind == fft_kind::real_forward   ? spectrum
                                      : l.kind == fft_kind::real_inverse ? real
                                                                         : 2 * real);
}
#endif

template <class T>
void transform(const fft_call<T>& call) {
#if GRIDSTRIDE_CHECKED
  note_accesses(call);
#endif
  using api = fftw<T>;
  using complex = typename api::complex;
  void* in = call.spectrum ? call.spectrum : const_cast<void*>(call.in);
  if (call.spectrum) copy(call.spectrum, call.in, call.spectrum_bytes());
  const auto plan = plans<T>().get(call.layout, in, call.out);
  if (call.layout.kind == fft_kind::real_forward)
    api::execute_forward(plan, static_cast<T*>(in), static_cast<complex*>(call.out));
  else if (call.layout.kind == fft_kind::real_inverse)
    api::execute_inverse(plan, static_cast<complex*>(in), static_cast<T*>(call.out));
  else
    api::execute_complex(plan, static_cast<complex*>(in), static_cast<complex*>(call.out));
  if (!call.scaled()) return;
  for_pieces(call.output_reals(), grain, [&, factor = call.factor()](std::size_t begin, std::size_t end) {
    T* out = static_cast<T*>(call.out);
    for (std::size_t i = begin; i < end; ++i) out[i] *= factor;
  });
}

}  // namespace

void run_on_engine(const fft_call<float>& call) { transform(call); }
void run_on_engine(const fft_call<double>& call) { transform(call); }

}  // namespace gs::inline GS_FLAVOUR
