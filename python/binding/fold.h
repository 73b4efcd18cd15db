#pragma once
// Folds by a function (T, T) -> T: reductions and running results. Compiled when Python first asks for one.

#include <optional>

#include "python/binding/functions.h"
#include "runtime/ufunc/accumulate.h"

namespace gridstride_python {

template <auto F>
using folded = typename types_of<F>::result;

template <auto F>
void reduce(const gs::detail::executor& run, void* out, const void* in, const gs::detail::axis_split& split,
            const void* start) {
  using T = folded<F>;
  std::optional<T> first;
  if (start) first = *static_cast<const T*>(start);
  gs::detail::run_reduction<F, T>(run, static_cast<T*>(out), static_cast<const T*>(in), split, first);
}

// The passes are those of gs::detail::accumulate_axis.
template <auto F>
void accumulate(const gs::detail::executor& run, void* out, const void* in, const gs::detail::axis_split& split) {
  using T = folded<F>;
  T* const to = static_cast<T*>(out);
  if (split.outer * split.length * split.inner == 0) return;
  run(gs::detail::scan_chunks<F, T>(to, static_cast<const T*>(in), split));
  const std::size_t chunks = gs::detail::scan_chunks<F, T>::chunks_of(split.length);
  if (chunks == 1) return;
  const gs::detail::scratch<T> carry(run, split.outer * chunks * split.inner);
  run(gs::detail::scan_carries<F, T>(carry.data(), to, split));
  run(gs::detail::add_carries<F, T>(to, carry.data(), split));
}

template <auto F>
constexpr function describe_reduction(std::string_view name) {
  static_assert(types_of<F>::arity == 2 && is_scalar_function<F>(), "reduce takes a function of two numbers");
  return {.name = name,
          .kind = function_kind::reduction,
          .parameters = parameters_of<F>,
          .result = describe_parameter<folded<F>>(),
          .reduction = &reduce<F>};
}

template <auto F>
constexpr function describe_accumulation(std::string_view name) {
  static_assert(types_of<F>::arity == 2 && is_scalar_function<F>(), "accumulate takes a function of two numbers");
  return {.name = name,
          .kind = function_kind::accumulation,
          .parameters = parameters_of<F>,
          .result = describe_parameter<folded<F>>(),
          .accumulation = &accumulate<F>};
}

}  // namespace gridstride_python
