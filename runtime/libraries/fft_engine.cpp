// Transforms on the engine, by FFTW.
#include <cstring>

#include "runtime/host/cores.h"
#include "runtime/libraries/fft_by_lines.h"
#include "runtime/libraries/fftw.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t grain = 1 << 16;  // bytes or numbers that a core copies or scales at a time

void copy(void* to, const void* from, std::size_t bytes) {
  for_pieces(bytes, grain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  });
}

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

template <class T>
void transform(const fft_call<T>& call) {
  note_accesses(call);
  if (is_by_lines(call.layout)) return transform_by_lines(call);
  void* in = call.spectrum ? call.spectrum : const_cast<void*>(call.in);
  if (call.spectrum) copy(call.spectrum, call.in, call.spectrum_bytes());
  execute<T>(call.layout.kind, plans<T>().get(call.layout, in, call.out), in, call.out);
  if (!call.scaled()) return;
  for_pieces(call.output_reals(), grain, [&, factor = call.factor()](std::size_t begin, std::size_t end) {
    T* out = static_cast<T*>(call.out);
    for (std::size_t i = begin; i < end; ++i) out[i] *= factor;
  });
}

}  // namespace

void run_on_engine(const fft_call<float>& call) { transform(call); }
void run_on_engine(const fft_call<double>& call) { transform(call); }

}  // namespace gs::inline GS_FLAVOUR::detail
