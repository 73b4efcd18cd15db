#pragma once
// The arguments of a ufunc call: scalars, host arrays, device arrays, and the output.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// The output of a ufunc: made by gs::out(array).
template <class A>
struct output {
  A& array;  ///< to be written to
};

}  // namespace detail

/// Names the output of a call: gaussian_pdf(x, mean, sigma, gs::out(y)). `y` is a host or a device array of the
/// result's shape and element type.
template <class A>
requires(host_array<A> || any_device_array<A>) detail::output<std::remove_reference_t<A>> out(A&& array) {
  return {array};
}

namespace detail {

template <class A>
struct is_output : std::false_type {};
template <class A>
struct is_output<output<A>> : std::true_type {};

/// A variable of a tape, which is no array.
template <class A>
concept recorded_on_a_tape = requires(const A& x) { x.recorder(); };

/// The types that a ufunc takes as inputs.
template <class A>
concept ufunc_input = scalar<A> || host_array<A> || any_device_array<A>;

template <class A>
struct element_of {
  using type = std::remove_cvref_t<A>;
};
template <host_array A>
struct element_of<A> {
  using type = host_value_t<A>;
};
template <any_device_array A>
struct element_of<A> {
  using type = typename std::remove_cvref_t<A>::value_type;
};
/// The element type of an input: a scalar's own.
template <class A>
using element_t = typename element_of<std::remove_cvref_t<A>>::type;

/// The rank that an input's type fixes: 0 for a scalar, dynamic_rank if it is only known at run time.
template <class A>
constexpr int static_rank() {
  using B = std::remove_cvref_t<A>;
  if constexpr (scalar<B>)
    return 0;
  else if constexpr (any_device_array<B>)
    return dynamic_rank;
  else
    return host_traits<B>::rank;
}
template <class... A>
constexpr int broadcast_rank() {
  int rank = 0;
  for (int r : {static_rank<A>()...})
    rank = (rank == dynamic_rank || r == dynamic_rank) ? dynamic_rank : std::max(rank, r);
  return rank;
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
