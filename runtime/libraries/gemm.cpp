#include "runtime/libraries/gemm.h"

#include <fmt/format.h>

#include <limits>

#include "runtime/core/error.h"
#include "runtime/libraries/gemm_call.h"
#include "runtime/libraries/library_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::string product_text(const shape& a, const shape& b, bool transpose_a, bool transpose_b) {
  return fmt::format("gemm of shapes {}{} and {}{}", to_string(a), transpose_a ? " transposed" : "", to_string(b),
                     transpose_b ? " transposed" : "");
}

}  // namespace

shape gemm_shape(const shape& a, const shape& b, bool transpose_a, bool transpose_b) {
  const auto refuse = [&](const std::string& found, const std::string& advice) {
    throw error(product_text(a, b, transpose_a, transpose_b), found, advice);
  };
  if (a.rank() != 2 || b.rank() != 2)
    refuse(fmt::format("their ranks are {} and {}", a.rank(), b.rank()),
           "use matrices: a row is x.reshape({1, -1}), a column x.reshape({-1, 1})");
  const std::size_t columns = a[transpose_a ? 0 : 1], rows = b[transpose_b ? 1 : 0];
  if (columns != rows)
    refuse(fmt::format("the first has {} columns and the second {} rows", columns, rows),
           "make them equal; .transpose_a and .transpose_b turn a matrix around");
  for (const shape& s : {a, b})
    for (const std::size_t extent : s)
      if (extent > std::numeric_limits<int>::max())
        refuse(fmt::format("an extent of {}", extent), "use extents of at most 2147483647");
  return {a[transpose_a ? 1 : 0], b[transpose_b ? 0 : 1]};
}

template <class T>
void queue_gemm(const device_array<T>& a, const device_array<T>& b, const device_array<T>& c,
                const gemm_options<T>& options) {
  a.memory(), b.memory(), c.memory();
  const shape product = gemm_shape(a.shape(), b.shape(), options.transpose_a, options.transpose_b);
  const auto text = [&] { return product_text(a.shape(), b.shape(), options.transpose_a, options.transpose_b); };
  if (!(c.shape() == product))
    throw error(text(),
                fmt::format("the product has shape {}, the output {}", to_string(product), to_string(c.shape())),
                "give an output of the product's shape");
  if (share_memory(c, a) || share_memory(c, b))
    throw error(text(), "the output shares memory with an operand, which is read again after it was overwritten",
                "give an output of its own");
  queue_library_call(options.stream, gemm_call<T>{.m = product[0],
                                                  .n = product[1],
                                                  .k = a.extent(options.transpose_a ? 0 : 1),
                                                  .alpha = options.alpha,
                                                  .beta = options.beta,
                                                  .a = a.data(),
                                                  .b = b.data(),
                                                  .c = c.data(),
                                                  .a_width = a.extent(1),
                                                  .b_width = b.extent(1),
                                                  .c_width = product[1],
                                                  .transpose_a = options.transpose_a,
                                                  .transpose_b = options.transpose_b});
}
template void queue_gemm(const device_array<float>&, const device_array<float>&, const device_array<float>&,
                         const gemm_options<float>&);
template void queue_gemm(const device_array<double>&, const device_array<double>&, const device_array<double>&,
                         const gemm_options<double>&);

}  // namespace gs::inline GS_FLAVOUR::detail
