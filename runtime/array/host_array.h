#pragma once
// Host arrays as the runtime sees them: anything with elements in memory, known by what it offers.

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/array/host_layout.h"
#include "runtime/array/pack.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// A single value: rank 0.
template <class T>
concept scalar =
    std::is_arithmetic_v<std::remove_cvref_t<T>> || std::is_same_v<std::remove_cvref_t<T>, std::complex<float>> ||
    std::is_same_v<std::remove_cvref_t<T>, std::complex<double>>;

/// Types that arrays may hold: they are copied byte by byte.
template <class T>
concept element = std::is_trivially_copyable_v<T> && !std::is_array_v<T> && !std::is_pointer_v<T>;

namespace detail {

/// How the runtime reads a host container and makes another of its kind. Specialise it for a container library, as
/// runtime/array/xtensor.h does. The general case is any contiguous range: one dimension, results in std::vector.
///   value_type                          the element's type
///   rank                                the rank where the type fixes it, else dynamic_rank
///   shape_of(a), data_of(a)             extents, and where element (0, ..., 0) lies
///   row_major(a), layout_of(a)          only for containers that may not be row-major: whether this one is, and its
///                                       strides
///   template like<R, Rank>              the container for a result of that element type and rank
///   make<C>(shape)                      a container C of that shape, elements not yet meaningful
template <class A>
struct host_traits {};

/// The rank of an array whose type doesn't fix it.
inline constexpr int dynamic_rank = -1;

/// A container with a shape of its own comes from a library and needs its adaptor, or belongs to kernels. (That is
/// tested first: for some libraries' views, testing whether they are ranges doesn't compile.)
template <class A>
concept plain_range = !requires(const A& a) { a.shape(); } && !requires(const A& a) { a.extent(std::size_t{0}); } &&
                      std::ranges::contiguous_range<A> && std::ranges::sized_range<A>;

template <plain_range A>
struct host_traits<A> {
  using value_type = std::ranges::range_value_t<A>;
  static constexpr int rank = 1;

  static shape shape_of(const A& a) { return shape(std::ranges::size(a)); }
  static const value_type* data_of(const A& a) { return std::ranges::data(a); }

  template <class R, int Rank>
  using like = std::vector<R>;
};

}  // namespace detail

/// A container of the host that holds elements.
template <class A>
concept host_array = !scalar<A> && requires { typename detail::host_traits<std::remove_cvref_t<A>>::value_type; };

namespace detail {

/// Makes a container of type C with the given shape. std::vector holds any shape, flat and row-major.
template <class C>
C make_host_array(const shape& s) {
  if constexpr (requires { host_traits<C>::make(s); }) {
    return host_traits<C>::make(s);
  } else {
    static_assert(std::is_constructible_v<C, std::size_t>,
                  "a new array of this type can't be made: give one to write into, or ask for a std::vector");
    return C(s.size());
  }
}

/// The type of a host array's elements.
template <host_array A>
using host_value_t = typename host_traits<std::remove_cvref_t<A>>::value_type;

/// The shape of a host array.
template <host_array A>
shape host_shape(const A& a) {
  return host_traits<std::remove_cvref_t<A>>::shape_of(a);
}

/// An operand on the host to read: its elements in row-major order, and its shape. `packed` owns them if the
/// array itself isn't row-major.
template <class T>
struct host_input {
  const T* data;
  shape extents;
  std::shared_ptr<const void> packed;
};

/// Reads an array in place, or packs a strided one (runtime/array/pack.h).
template <host_array A>
host_input<host_value_t<A>> read_host(const A& a, bool on_all_cores = true) {
  using traits = host_traits<std::remove_cvref_t<A>>;
  using T = host_value_t<A>;
  if constexpr (requires { traits::layout_of(a); }) {
    if (!traits::row_major(a)) {
      const host_layout layout = traits::layout_of(a);
      auto packed = pack(traits::data_of(a), layout, sizeof(T), on_all_cores);
      const T* const data = static_cast<const T*>(packed.get());
      return {data, layout.extents, std::move(packed)};
    }
  }
  return {traits::data_of(a), traits::shape_of(a), {}};
}

/// An operand on the host to write to: its first element and its shape. Owns nothing.
template <class T>
struct host_output {
  T* data;
  shape extents;
};

/// Refused at compile time for constant elements; throws gs::error for strided arrays.
template <host_array A>
host_output<host_value_t<A>> write_host(A& a) {
  using traits = host_traits<std::remove_cvref_t<A>>;
  if constexpr (plain_range<std::remove_cvref_t<A>>) {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(std::ranges::data(a))>>,
                  "the output is constant: give an array that can be written");
  } else {  // a library's view may be mutable itself and still refer to constant elements
    static_assert(!std::is_const_v<A> && !std::is_const_v<std::remove_pointer_t<decltype(a.data())>>,
                  "the output is constant: give an array that can be written");
  }
  if constexpr (requires { traits::layout_of(a); }) {
    if (!traits::row_major(a)) refuse_layout(traits::layout_of(a));
  }
  return {const_cast<host_value_t<A>*>(traits::data_of(a)), traits::shape_of(a)};
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
