#pragma once
// gs::sort and gs::sort_by_key: radix sort on the device, our own over all cores on the engine, CUB's on a GPU.

#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/library_array.h"
#include "runtime/libraries/value_type.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

/// How an array is sorted: `gs::sort(x, {.stream = s})`.
struct sort_options {
  detail::stream_choice stream = {};  ///< on which it is queued
};

/// The result of sort_by_key.
template <class K, class V>
struct sorted_pairs {
  device_array<K> keys;    ///< in ascending order
  device_array<V> values;  ///< each where its key is
};

namespace detail {

/// How a key is read, and the sizes of keys and values.
enum class key_kind { unsigned_integer, signed_integer, floating };
struct sort_types {
  key_kind kind;
  std::size_t key_bytes, value_bytes;  ///< value_bytes is 0 if there are no values
};
template <class K, class V = void>
constexpr sort_types sort_types_of() {
  static_assert(std::is_arithmetic_v<K> && sizeof(K) <= 8, "sort: the keys must be integers, bools, floats or doubles");
  sort_types types{std::is_floating_point_v<K> ? key_kind::floating
                   : std::is_signed_v<K>       ? key_kind::signed_integer
                                               : key_kind::unsigned_integer,
                   sizeof(K), 0};
  if constexpr (!std::is_void_v<V>) {
    static_assert(is_value_size(sizeof(V)),
                  "sort_by_key: the values must be of 1, 2, 4, 8 or 16 bytes; sort their indices instead");
    types.value_bytes = sizeof(V);
  }
  return types;
}
void queue_sort(const sort_types& types, const library_array& in, const library_array& out,
                const sort_options& options);
void queue_sort_by_key(const sort_types& types, const library_array& keys, const library_array& values,
                       const library_array& keys_out, const library_array& values_out, const sort_options& options);

}  // namespace detail

/// Writes the elements of `x`, an array of rank 1, in ascending order to `out`, which may be `x` itself. Queued on the
/// stream; returns at once; needs a temporary array as large. NaNs come last, as in NumPy; a NaN
/// stays a NaN, but perhaps with other bits. Zeros of both signs may come in either order.
/// By digits: D. E. Knuth, The Art of Computer Programming, volume 3, 5.2.5.
/// Throws gs::error for another rank or size, and for an output that shares a part of its memory with `x`.
template <class A, class O>
void sort(const A& x, const detail::output<O>& out, const sort_options& options = {}) {
  static_assert(any_device_array<A> && any_device_array<O>,
                "sort takes device arrays: copy the host array with gs::to_device");
  static_assert(std::is_same_v<detail::element_t<A>, detail::element_t<O>>,
                "sort: the output holds another type of element");
  static_assert(!std::is_const_v<O>, "sort: the output is constant");
  out.array.memory()->note_write();
  detail::queue_sort(detail::sort_types_of<detail::element_t<A>>(), detail::as_library_array(x),
                     detail::as_library_array(out.array), options);
}

/// The same as a new array.
template <class A>
auto sort(const A& x, const sort_options& options = {}) {
  static_assert(any_device_array<A>, "sort takes device arrays: copy the host array with gs::to_device");
  auto sorted = device_array_like(x);
  gs::sort(x, out(sorted), options);
  return sorted;
}

/// Sorts pairs: `values` are brought into the order that sorts `keys`. Stable: pairs of equal keys keep their order;
/// all NaNs are equal, and so are -0.0 and 0.0. Keys and values are arrays of rank 1 and one length; each output may be
/// its input itself. Values may be of any type of 1, 2, 4, 8 or 16 bytes. Throws gs::error as sort does, and if the
/// lengths differ.
template <class K, class V, class KO, class VO>
void sort_by_key(const K& keys, const V& values, const detail::output<KO>& keys_out,
                 const detail::output<VO>& values_out, const sort_options& options = {}) {
  static_assert(any_device_array<K> && any_device_array<V> && any_device_array<KO> && any_device_array<VO>,
                "sort_by_key takes device arrays: copy the host arrays with gs::to_device");
  static_assert(std::is_same_v<detail::element_t<K>, detail::element_t<KO>> &&
                    std::is_same_v<detail::element_t<V>, detail::element_t<VO>>,
                "sort_by_key: an output holds another type of element");
  static_assert(!std::is_const_v<KO> && !std::is_const_v<VO>, "sort_by_key: an output is constant");
  keys_out.array.memory()->note_write(), values_out.array.memory()->note_write();
  detail::queue_sort_by_key(detail::sort_types_of<detail::element_t<K>, detail::element_t<V>>(),
                            detail::as_library_array(keys), detail::as_library_array(values),
                            detail::as_library_array(keys_out.array), detail::as_library_array(values_out.array),
                            options);
}

/// The same as new arrays: `auto [keys, values] = gs::sort_by_key(k, v);`
template <class K, class V>
auto sort_by_key(const K& keys, const V& values, const sort_options& options = {}) {
  static_assert(any_device_array<K> && any_device_array<V>,
                "sort_by_key takes device arrays: copy the host arrays with gs::to_device");
  sorted_pairs<detail::element_t<K>, detail::element_t<V>> sorted{device_array_like(keys), device_array_like(values)};
  gs::sort_by_key(keys, values, out(sorted.keys), out(sorted.values), options);
  return sorted;
}

}  // namespace gs::inline GS_FLAVOUR
