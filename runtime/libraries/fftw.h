#pragma once
// FFTW in both precisions under one name, and its plans. Its parallel loops run on the engine's cores through oneTBB;
// those of FFTW before 3.3.9, which takes no other loop, on threads that it starts for each transform.

#include <fftw3.h>

#include <complex>
#include <map>
#include <mutex>
#include <tuple>

#include "runtime/core/error.h"
#include "runtime/host/cores.h"
#include "runtime/libraries/fft_call.h"

namespace gs::inline GS_FLAVOUR::detail {

inline void run_jobs(void* (*work)(char*), char* jobs, std::size_t job_bytes, int count, void*) {
  for_pieces(static_cast<std::size_t>(count), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t job = begin; job < end; ++job) work(jobs + job * job_bytes);
  });
}

// FFTW's functions of one precision.
template <class T>
struct fftw;
template <>
struct fftw<float> {
  using plan = fftwf_plan;
  using complex = fftwf_complex;
  static constexpr auto init_threads = fftwf_init_threads;
#if GRIDSTRIDE_FFTW_TAKES_A_LOOP
  static void set_loop() { fftwf_threads_set_callback(run_jobs, nullptr); }
#else
  static void set_loop() {}
#endif
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
#if GRIDSTRIDE_FFTW_TAKES_A_LOOP
  static void set_loop() { fftw_threads_set_callback(run_jobs, nullptr); }
#else
  static void set_loop() {}
#endif
  static constexpr auto plan_with_threads = fftw_plan_with_nthreads;
  static constexpr auto plan_complex = fftw_plan_many_dft;
  static constexpr auto plan_forward = fftw_plan_many_dft_r2c;
  static constexpr auto plan_inverse = fftw_plan_many_dft_c2r;
  static constexpr auto execute_complex = fftw_execute_dft;
  static constexpr auto execute_forward = fftw_execute_dft_r2c;
  static constexpr auto execute_inverse = fftw_execute_dft_c2r;
  static constexpr auto alignment = fftw_alignment_of;
};

// In points; for fewer, waking another core takes longer than the transform.
inline constexpr std::size_t least_parallel = 1 << 15;

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
    api::set_loop();  // each time: a program that uses FFTW itself may have set its own
    auto& plan = plans_[key];
    if (!plan) plan = make(layout, in, out);
    if (!plan) throw error("a Fourier transform", "FFTW has no plan for this shape", "use another shape");
    return plan;
  }
  /// Held by whoever makes plans beside it.
  std::mutex& planner() { return mutex_; }

 private:
  static typename api::plan make(const fft_layout& l, void* in, void* out) {
    const bool parallel = l.elements() * static_cast<std::size_t>(l.rows) >= least_parallel;
    api::plan_with_threads(parallel ? static_cast<int>(core_count()) : 1);
    const int points = static_cast<int>(l.elements()), spectrum = static_cast<int>(l.spectrum_elements());
    const int *n = l.extents.data(), *packed = nullptr;
    auto *complex_in = static_cast<complex*>(in), *complex_out = static_cast<complex*>(out);
    switch (l.kind) {
      case fft_kind::forward:
      case fft_kind::inverse:
        return api::plan_complex(l.dimensions, n, l.rows, complex_in, packed, 1, points, complex_out, packed, 1, points,
                                 l.kind == fft_kind::forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
      case fft_kind::real_forward:
        return api::plan_forward(l.dimensions, n, l.rows, static_cast<T*>(in), packed, 1, points, complex_out, packed,
                                 1, spectrum, FFTW_ESTIMATE);
      case fft_kind::real_inverse:
        return api::plan_inverse(l.dimensions, n, l.rows, complex_in, packed, 1, spectrum, static_cast<T*>(out), packed,
                                 1, points, FFTW_ESTIMATE);
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

/// Runs a plan on arrays with the alignment that it was made for.
template <class T>
void execute(fft_kind kind, typename fftw<T>::plan plan, void* in, void* out) {
  using api = fftw<T>;
  using complex = typename api::complex;
  if (kind == fft_kind::real_forward)
    api::execute_forward(plan, static_cast<T*>(in), static_cast<complex*>(out));
  else if (kind == fft_kind::real_inverse)
    api::execute_inverse(plan, static_cast<complex*>(in), static_cast<T*>(out));
  else
    api::execute_complex(plan, static_cast<complex*>(in), static_cast<complex*>(out));
}

}  // namespace gs::inline GS_FLAVOUR::detail
