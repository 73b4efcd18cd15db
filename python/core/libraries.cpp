#include "python/core/libraries.h"

#include <nanobind/stl/string.h>

#include <string>

#include "python/core/device_array.h"
#include "runtime/core/error.h"
#include "runtime/libraries/fft.h"
#include "runtime/libraries/gemm.h"
#include "runtime/libraries/library_array.h"
#include "runtime/libraries/sort.h"
#include "runtime/libraries/value_type.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

gs::detail::stream_choice choice_of(gs::stream* stream) {
  return stream ? gs::detail::stream_choice(*stream) : gs::detail::stream_choice();
}

[[noreturn]] void refuse_type(const std::string& asked, const python_array& a, const std::string& wanted) {
  throw gs::error(asked, "the array holds " + to_string(a.array->type()), "give one of " + wanted);
}

// --- products --------------------------------------------------------------------------------------------------------

template <class T>
python_array product(const python_array& a, const python_array& b, const python_array* out,
                     const gs::detail::stream_choice& on, double alpha, double beta, bool transpose_a,
                     bool transpose_b) {
  const auto &left = as_typed<T>(*a.array, "gemm").get(), &right = as_typed<T>(*b.array, "gemm").get();
  const gs::gemm_options<T> options{.alpha = static_cast<T>(alpha),
                                    .beta = static_cast<T>(beta),
                                    .transpose_a = transpose_a,
                                    .transpose_b = transpose_b,
                                    .stream = on};
  if (!out) return as_python_array(std::make_unique<typed_array<T>>(gs::gemm(left, right, options)));
  gs::gemm(left, right, gs::out(as_typed<T>(*out->array, "gemm, the output").get()), options);
  return *out;
}

python_array gemm(const python_array& a, const python_array& b, const python_array* out, double alpha, double beta,
                  bool transpose_a, bool transpose_b, gs::stream* stream) {
  const element_kind kind = a.array->type().kind;
  const gs::detail::stream_choice on = choice_of(stream);
  if (kind == element_kind::float32) return product<float>(a, b, out, on, alpha, beta, transpose_a, transpose_b);
  if (kind == element_kind::float64) return product<double>(a, b, out, on, alpha, beta, transpose_a, transpose_b);
  refuse_type("gemm", a, "float32 or float64");
}

// --- transforms ------------------------------------------------------------------------------------------------------

template <class In, class Out>
python_array transform(gs::detail::fft_kind kind, std::size_t dimensions, const python_array& x,
                       const python_array* out, std::size_t columns, const gs::fft_options& options) {
  const auto& in = as_typed<In>(*x.array, "a Fourier transform").get();
  in.memory();
  python_array result = out ? *out
                            : as_python_array(std::make_unique<typed_array<Out>>(
                                  gs::device_array<Out>(gs::detail::fft_shape(kind, dimensions, in.shape(), columns))));
  const auto& to = as_typed<Out>(*result.array, "a Fourier transform, the output").get();
  gs::detail::queue_fft(kind, dimensions, in, to, options);
  to.memory()->note_write();
  return result;
}

python_array fft(const std::string& name, std::size_t dimensions, const python_array& x, const python_array* out,
                 std::size_t columns, gs::stream* stream) {
  using enum gs::detail::fft_kind;
  const auto kind = name == "fft" ? forward : name == "ifft" ? inverse : name == "rfft" ? real_forward : real_inverse;
  const gs::fft_options options{.stream = choice_of(stream)};
  using c64 = std::complex<float>;
  using c128 = std::complex<double>;
  switch (x.array->type().kind) {
    case element_kind::float32:
      if (kind == real_forward) return transform<float, c64>(kind, dimensions, x, out, columns, options);
      break;
    case element_kind::float64:
      if (kind == real_forward) return transform<double, c128>(kind, dimensions, x, out, columns, options);
      break;
    case element_kind::complex64:
      if (kind == real_inverse) return transform<c64, float>(kind, dimensions, x, out, columns, options);
      if (kind != real_forward) return transform<c64, c64>(kind, dimensions, x, out, columns, options);
      break;
    case element_kind::complex128:
      if (kind == real_inverse) return transform<c128, double>(kind, dimensions, x, out, columns, options);
      if (kind != real_forward) return transform<c128, c128>(kind, dimensions, x, out, columns, options);
      break;
    default:
      break;
  }
  refuse_type(name + (dimensions == 2 ? "2" : ""), x,
              kind == real_forward ? "float32 or float64" : "complex64 or complex128");
}

// --- sorting ---------------------------------------------------------------------------------------------------------

gs::detail::library_array library_array_of(const python_array& a) {
  a.array->memory();
  return {a.array->data(), a.array->shape(), a.array->type().bytes};
}

gs::detail::sort_types sort_types_of(const python_array& keys, const std::string& asked) {
  return with_type(keys.array->type().kind, [&]<class T>(std::type_identity<T>) -> gs::detail::sort_types {
    if constexpr (std::is_arithmetic_v<T>)
      return gs::detail::sort_types_of<T>();
    else
      refuse_type(asked, keys, "integers, bools, float32 or float64");
  });
}

python_array like(const python_array& a) { return {make_array(a.array->type(), a.array->shape()), a.dtype}; }

void check_type(const python_array& out, const python_array& in, const std::string& asked) {
  if (!(out.array->type() == in.array->type()))
    throw gs::error(
        asked, "the output holds " + to_string(out.array->type()) + " and the input " + to_string(in.array->type()),
        "give an output of the input's type");
}

python_array sort(const python_array& x, const python_array* out, gs::stream* stream) {
  const gs::detail::sort_types types = sort_types_of(x, "sort");
  python_array result = out ? *out : like(x);
  check_type(result, x, "sort");
  result.array->memory()->note_write();
  gs::detail::queue_sort(types, library_array_of(x), library_array_of(result), {.stream = choice_of(stream)});
  return result;
}

nb::tuple sort_by_key(const python_array& keys, const python_array& values, gs::stream* stream) {
  gs::detail::sort_types types = sort_types_of(keys, "sort_by_key");
  types.value_bytes = values.array->type().bytes;
  if (!gs::detail::is_value_size(types.value_bytes))
    throw gs::error("sort_by_key", "a value has " + std::to_string(types.value_bytes) + " bytes",
                    "use values of 1, 2, 4, 8 or 16 bytes, or sort their indices");
  python_array sorted_keys = like(keys), sorted_values = like(values);
  gs::detail::queue_sort_by_key(types, library_array_of(keys), library_array_of(values), library_array_of(sorted_keys),
                                library_array_of(sorted_values), {.stream = choice_of(stream)});
  return nb::make_tuple(std::move(sorted_keys), std::move(sorted_values));
}

}  // namespace

void declare_libraries(nb::module_& m) {
  m.def("gemm", &gemm, "a"_a, "b"_a, "out"_a.none() = nb::none(), "alpha"_a = 1.0, "beta"_a = 0.0,
        "transpose_a"_a = false, "transpose_b"_a = false, "stream"_a.none() = nb::none(),
        "alpha a b + beta out, of matrices of float32 or float64 on the device. Queued; returns at once.");
  m.def("_fft", &fft, "name"_a, "dimensions"_a, "x"_a, "out"_a.none(), "columns"_a, "stream"_a.none());
  m.def("sort", &sort, "x"_a, "out"_a.none() = nb::none(), "stream"_a.none() = nb::none(),
        "The elements of an array of rank 1 in ascending order; NaNs come last. Queued; returns at once.");
  m.def("sort_by_key", &sort_by_key, "keys"_a, "values"_a, "stream"_a.none() = nb::none(),
        "Keys in ascending order, and the values where their keys are; stable. Queued; returns at once.");
}

}  // namespace gridstride_python
