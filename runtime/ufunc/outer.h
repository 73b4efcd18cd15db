#pragma once
// ufunc.outer: every pair of elements. It is broadcasting of a[..., 1, 1, ...] with b.

#include "runtime/core/config.h"
#include "runtime/ufunc/result.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gs::inline GS_FLAVOUR::detail {

// The input with `ones` more dimensions of extent 1 after its own.
template <class T>
placed_input<T> with_trailing_ones(placed_input<T> input, std::size_t ones) {
  for (std::size_t d = 0; d < ones; ++d) input.extents.push_back(1);
  return input;
}
template <class T>
value_operand<T> with_trailing_ones(value_operand<T> input, std::size_t) {
  return input;
}

template <auto F, class R, class A, class B, class... Out>
auto outer_call(const target_request& request, const A& a, const B& b, const output<Out>&... into) {
  static_assert(sizeof...(Out) <= 1, "outer has one output");
  const shape b_extents = argument_shape(b);
  shape result = argument_shape(a);
  for (std::size_t extent : b_extents) result.push_back(extent);
  const executor run(
      choose_target(request, any_device_array<A> || any_device_array<B> || (any_device_array<Out> || ...)),
      request.on_stream);
  const auto compute_as = [&](const shape& extents) {
    return [&, extents](R* out) {
      run_elementwise<F>(run, out, extents, with_trailing_ones(place_input(a, run), b_extents.rank()),
                         place_input(b, run));
    };
  };
  if constexpr (sizeof...(Out) == 1) {
    (check_out_shape(result, argument_shape(into.array)), ...);
    (write_result<R>(run, into.array, compute_as(argument_shape(into.array))), ...);
  } else {
    constexpr int a_rank = static_rank<A>(), b_rank = static_rank<B>();
    constexpr int rank = a_rank == dynamic_rank || b_rank == dynamic_rank ? dynamic_rank : a_rank + b_rank;
    return make_result<R, result_array<R, rank, A, B>>(run, result, compute_as(result));
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
