#include "runtime/libraries/fft.h"

#include <fmt/format.h>

#include <limits>

#include "runtime/core/error.h"
#include "runtime/libraries/fft_call.h"
#include "runtime/libraries/library_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::string transform_text(fft_kind kind, std::size_t dimensions, const shape& in) {
  constexpr const char* names[] = {"fft", "ifft", "rfft", "irfft"};
  return fmt::format("{}{} of an array of shape {}", names[static_cast<int>(kind)], dimensions == 2 ? "2" : "",
                     to_string(in));
}

template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
  using type = T;
};

}  // namespace

shape fft_shape(fft_kind kind, std::size_t dimensions, const shape& in, std::size_t columns) {
  const auto refuse = [&](const std::string& found, const std::string& advice) {
    throw error(transform_text(kind, dimensions, in), found, advice);
  };
  if (dimensions == 2 ? in.rank() != 2 : in.rank() != 1 && in.rank() != 2)
    refuse(fmt::format("its rank is {}", in.rank()),
           dimensions == 2 ? "give an array of rank 2" : "give an array of rank 1, or of rank 2 to transform its rows");
  shape out = in;
  const std::size_t last = in.rank() - 1;
  if (kind == fft_kind::real_forward) out[last] = in[last] / 2 + 1;
  if (kind == fft_kind::real_inverse) out[last] = columns;
  for (std::size_t d = in.rank() - dimensions; d < in.rank(); ++d)
    if (in[d] == 0 || out[d] == 0)
      refuse("there are no points along a dimension that is transformed", "transform 1 point or more");
  if (kind == fft_kind::real_inverse && columns / 2 + 1 != in[last])
    refuse(fmt::format("rows of {} real numbers have a spectrum of {}", columns, columns / 2 + 1),
           in[last] == 1 ? "ask for 1" : fmt::format("ask for {} or {}", 2 * in[last] - 2, 2 * in[last] - 1));
  for (const shape& s : {in, out})
    for (const std::size_t extent : s)
      if (extent > std::numeric_limits<int>::max())
        refuse(fmt::format("an extent of {}", extent), "use extents of at most 2147483647");
  return out;
}

template <class In, class Out>
void queue_fft(fft_kind kind, std::size_t dimensions, const device_array<In>& in, const device_array<Out>& out,
               const fft_options& options) {
  using T = typename real_of<In>::type;
  in.memory(), out.memory();
  const std::size_t columns = out.rank() == 0 ? 0 : out.extent(out.rank() - 1);
  const shape result = fft_shape(kind, dimensions, in.shape(), columns);
  if (!(out.shape() == result))
    throw error(transform_text(kind, dimensions, in.shape()),
                fmt::format("the result has shape {}, the output {}", to_string(result), to_string(out.shape())),
                "give an output of the result's shape");
  const bool in_place = static_cast<const void*>(in.data()) == out.data();
  if (!in_place && share_memory(in, out))
    throw error(transform_text(kind, dimensions, in.shape()), "the output shares a part of the input's memory",
                "transform in place, with the input as the output, or give an output of its own");

  out.memory()->note_write();
  const shape& real_side = kind == fft_kind::real_forward ? in.shape() : out.shape();
  const auto extent = [&](std::size_t d) { return static_cast<int>(real_side[d]); };
  const std::size_t last = real_side.rank() - 1;
  fft_call<T> call{.layout = {.kind = kind,
                              .dimensions = static_cast<int>(dimensions),
                              .extents = {extent(last - (dimensions - 1)), dimensions == 2 ? extent(last) : 1},
                              .rows = dimensions == 1 && real_side.rank() == 2 ? extent(0) : 1},
                   .in = in.data(),
                   .out = out.data(),
                   .spectrum = nullptr};
  std::shared_ptr<device_memory> spectrum;
  if (kind == fft_kind::real_inverse) {
    spectrum = allocate_device_memory(call.spectrum_bytes());
    call.spectrum = spectrum->data();
  }
  queue_library_call(options.stream, call);
}
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;
template void queue_fft(fft_kind, std::size_t, const device_array<complex64>&, const device_array<complex64>&,
                        const fft_options&);
template void queue_fft(fft_kind, std::size_t, const device_array<float>&, const device_array<complex64>&,
                        const fft_options&);
template void queue_fft(fft_kind, std::size_t, const device_array<complex64>&, const device_array<float>&,
                        const fft_options&);
template void queue_fft(fft_kind, std::size_t, const device_array<complex128>&, const device_array<complex128>&,
                        const fft_options&);
template void queue_fft(fft_kind, std::size_t, const device_array<double>&, const device_array<complex128>&,
                        const fft_options&);
template void queue_fft(fft_kind, std::size_t, const device_array<complex128>&, const device_array<double>&,
                        const fft_options&);

}  // namespace gs::inline GS_FLAVOUR::detail
