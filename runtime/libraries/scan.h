#pragma once
// gs::inclusive_sum and gs::exclusive_sum: sums of all elements up to each one, on the device; our own over all cores
// on the engine, CUB's DeviceScan on a GPU. Of another operation than the sum: ufunc.accumulate.

#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/library_array.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

/// How sums are computed: `gs::inclusive_sum(x, {.stream = s})`.
struct scan_options {
  detail::stream_choice stream = {};  ///< on which they are queued
};

namespace detail {

/// Whether sum i has element i in it.
enum class scan_kind { inclusive, exclusive };
/// What a sum depends on: integers wrap around, so their signs don't matter.
struct scan_type {
  scan_kind kind;
  bool floating;
};
template <class T>
constexpr scan_type scan_type_of(scan_kind kind) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "inclusive_sum and exclusive_sum take integers of 4 or 8 bytes, floats or doubles: convert smaller "
                "ones first, since their sums need more bits");
  return {kind, std::is_floating_point_v<T>};
}
void queue_scan(const scan_type& type, const library_array& in, const library_array& out, const scan_options& options);

template <class A, class O>
void scan_into(scan_kind kind, const A& x, const output<O>& out, const scan_options& options) {
  static_assert(any_device_array<A> && any_device_array<O>,
                "inclusive_sum and exclusive_sum take device arrays: copy the host array with gs::to_device");
  static_assert(std::is_same_v<element_t<A>, element_t<O>>,
                "inclusive_sum and exclusive_sum: the output holds another type of element");
  static_assert(!std::is_const_v<O>, "inclusive_sum and exclusive_sum: the output is constant");
  out.array.memory()->note_write();
  queue_scan(scan_type_of<element_t<A>>(kind), as_library_array(x), as_library_array(out.array), options);
}
template <class A>
auto scanned(scan_kind kind, const A& x, const scan_options& options) {
  static_assert(any_device_array<A>,
                "inclusive_sum and exclusive_sum take device arrays: copy the host array with gs::to_device");
  auto sums = device_array_like(x);
  scan_into(kind, x, out(sums), options);
  return sums;
}

}  // namespace detail

/// Writes x[0] + ... + x[i] to out[i], for arrays of rank 1 and one length; `out` may be `x` itself. Queued on the
/// stream; returns at once. Integers wrap around. Sums of floats are grouped by pieces of 4,096 on the engine, the same
/// with any number of cores, so that sums of numbers >= 0 never fall; CUB groups them as the GPU's blocks come, and
/// may round otherwise the next time. By pieces: G. E. Blelloch, "Prefix sums and their applications", 1990.
/// Throws gs::error for another rank or size, and for an output that shares a part of its memory with `x`.
template <class A, class O>
void inclusive_sum(const A& x, const detail::output<O>& out, const scan_options& options = {}) {
  detail::scan_into(detail::scan_kind::inclusive, x, out, options);
}
/// The same as a new array.
template <class A>
auto inclusive_sum(const A& x, const scan_options& options = {}) {
  return detail::scanned(detail::scan_kind::inclusive, x, options);
}

/// Writes x[0] + ... + x[i - 1] to out[i], and 0 to out[0]; everything else as inclusive_sum.
template <class A, class O>
void exclusive_sum(const A& x, const detail::output<O>& out, const scan_options& options = {}) {
  detail::scan_into(detail::scan_kind::exclusive, x, out, options);
}
/// The same into a new array.
template <class A>
auto exclusive_sum(const A& x, const scan_options& options = {}) {
  return detail::scanned(detail::scan_kind::exclusive, x, options);
}

}  // namespace gs::inline GS_FLAVOUR
