#pragma once
// gs::select_flagged and gs::select_if: the elements that are wanted, in their order, one beside the other
// (compaction); our own over all cores on the engine, CUB's DeviceSelect on a GPU.

#include <cstdint>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/library_array.h"
#include "runtime/libraries/value_type.h"
#include "runtime/ufunc/operand.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

/// How elements are selected: `gs::select_flagged(x, flags, {.stream = s})`.
struct select_options {
  detail::stream_choice stream = {};  ///< on which it is queued
};

namespace detail {

void queue_select(const library_array& in, const library_array& flags, const library_array& out,
                  const library_array& count, const select_options& options);

}  // namespace detail

/// Writes each x[i] whose flags[i] isn't 0 to `out`, in their order and from its beginning, and their number to
/// count[0]. What lies in `out` behind them keeps its value. `x`, `flags` and `out` have rank 1 and one length, `count`
/// has one element; flags are bools or integers of one byte, elements have 1, 2, 4, 8 or 16 bytes. Queued on the
/// stream; returns at once. Throws gs::error for another rank or size, and for outputs that share memory with another
/// array of the call.
template <class A, class F, class O, class C>
void select_flagged(const A& x, const F& flags, const detail::output<O>& out, const detail::output<C>& count,
                    const select_options& options = {}) {
  static_assert(any_device_array<A> && any_device_array<F> && any_device_array<O> && any_device_array<C>,
                "select_flagged takes device arrays: copy the host arrays with gs::to_device");
  static_assert(detail::is_value_size(sizeof(detail::element_t<A>)),
                "select_flagged: the elements must be of 1, 2, 4, 8 or 16 bytes; select their indices instead");
  static_assert(std::is_integral_v<detail::element_t<F>> && sizeof(detail::element_t<F>) == 1,
                "select_flagged: the flags must be bools or integers of one byte");
  static_assert(std::is_same_v<detail::element_t<A>, detail::element_t<O>>,
                "select_flagged: the output holds another type of element");
  static_assert(std::is_same_v<detail::element_t<C>, std::uint64_t>,
                "select_flagged: the count must be a std::uint64_t");
  static_assert(!std::is_const_v<O> && !std::is_const_v<C>, "select_flagged: an output is constant");
  out.array.memory()->note_write(), count.array.memory()->note_write();
  detail::queue_select(detail::as_library_array(x), detail::as_library_array(flags),
                       detail::as_library_array(out.array), detail::as_library_array(count.array), options);
}

/// The same as a new array of these elements alone. Waits for the stream, since their number isn't known before;
/// behind the array lies memory for all of `x`.
template <class A, class F>
auto select_flagged(const A& x, const F& flags, const select_options& options = {}) {
  static_assert(any_device_array<A>, "select_flagged takes device arrays: copy the host arrays with gs::to_device");
  auto selected = device_array_like(x);
  device_array<std::uint64_t> count(1);
  gs::select_flagged(x, flags, out(selected), out(count), options);
  return selected.slice(0, static_cast<std::ptrdiff_t>(count.copy_to_host()[0]));
}

/// The elements for which `wanted`, a GS_FN function of one element, returns true: its ufunc writes a flag for each, on
/// the default stream, and they are selected by these.
template <auto wanted, class A>
auto select_if(const A& x) {
  return gs::select_flagged(x, vectorize<wanted>.on(target::device)(x));
}

}  // namespace gs::inline GS_FLAVOUR
