#pragma once
// gs::detail::index: the position in v[i] and v(i, j). In the checked flavour it also carries the source line it was
// written on.

#include <concepts>
#include <cstddef>
#include <type_traits>

#if GRIDSTRIDE_CHECKED
#include <source_location>
#endif

#include "runtime/core/atomic_element.h"
#include "runtime/core/config.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

#if GRIDSTRIDE_CHECKED

/// The place in the source of an access. The default argument is evaluated at the v[i] itself.
using access_place = std::source_location;

struct index {
  std::size_t value;
  access_place place;
  // Inlined, or the compiler would report every write to its two members to the instruments. (Integers are indices.)
  template <std::integral I>
  [[gnu::always_inline]] GS_FN constexpr index(I i, access_place source = access_place::current())  // NOLINT
      : value(static_cast<std::size_t>(i)), place(source) {}
};

/// Throws gs::error: position `i` along dimension `d` is outside `extents`.
[[noreturn]] void refuse_index(std::size_t i, const access_place& place, std::size_t d, const std::size_t* extents,
                               std::size_t rank);

#else

/// The place in the source where memory is accessed; empty in the plain flavour.
struct access_place {
  static constexpr access_place current() { return {}; }  ///< that of the call, where it is a default argument
};

/// An index of an array: any integer, and in the checked flavour the place where it is written.
struct index {
  std::size_t value;                      ///< counted from 0
  static constexpr access_place place{};  ///< where it is written
  /// From an integer of any type.
  template <std::integral I>
  GS_FN constexpr index(I i, access_place = {})  // NOLINT: integers are indices
      : value(static_cast<std::size_t>(i)) {}
};

#endif

/// The element at (first, more...) of a row-major array: what views, tiles and local arrays have in common. The checked
/// flavour hands the access to the instruments (runtime/observe/observe.h), which check the index.
template <bool IsFixedArray = false, class T, class... I>
GS_FN GS_UNOBSERVED T& element_at(T* data, [[maybe_unused]] const std::size_t* extents, index first, I... more) {
#if GRIDSTRIDE_CHECKED && !defined(__CUDA_ARCH__)
  const std::size_t position[] = {first.value, index(more, first.place).value...};
  using plain = std::remove_const_t<T>;
  return *static_cast<T*>(
      instruments::element({const_cast<plain*>(data), instruments::layout_of<plain>(), position, extents,
                            1 + sizeof...(I), first.place, atomic_element<T> && !std::is_const_v<T>, IsFixedArray}));
#else
  std::size_t offset = first.value;
  [[maybe_unused]] std::size_t d = 1;
  ((offset = offset * extents[d++] + index(more, first.place).value), ...);
  return data[offset];
#endif
}

}  // namespace gs::inline GS_FLAVOUR::detail
