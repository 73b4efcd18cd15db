#pragma once
// Arrays of a fixed shape inside kernels: gs::tile in shared memory, gs::local_array in a thread, gs::constant_array as
// a parameter. Row-major; indexed as views are.

#include <array>
#include <cstddef>
#include <type_traits>

#include "runtime/array/index.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// T elements in the shape Extents: a[i] for one dimension, a(i, j, ...) for more. In the checked flavour an index
/// outside the shape is an error that names the line.
template <class T, std::size_t... Extents>
struct fixed_array {
  static_assert(sizeof...(Extents) >= 1 && ((Extents > 0) && ...), "every extent is 1 or more");
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>,
                "the elements must be plain values");
  using value_type = T;                                                  ///< the type of an element
  static constexpr std::size_t rank() { return sizeof...(Extents); }     ///< how many dimensions
  GS_FN static constexpr std::size_t size() { return (Extents * ...); }  ///< how many elements
  /// The extent of dimension `d`, from 0 on.
  GS_FN static constexpr std::size_t extent(std::size_t d) {
    constexpr std::size_t extents[] = {Extents...};
    return extents[d];
  }

  /// The element at these indices, one for each dimension.
  ///@{
  GS_FN GS_UNOBSERVED T& operator[](index i) requires(sizeof...(Extents) == 1) { return at(elements, i); }
  GS_FN GS_UNOBSERVED const T& operator[](index i) const requires(sizeof...(Extents) == 1) { return at(elements, i); }
  template <class... I>
  GS_FN GS_UNOBSERVED T& operator()(index first, I... more) {
    return at(elements, first, more...);
  }
  template <class... I>
  GS_FN GS_UNOBSERVED const T& operator()(index first, I... more) const {
    return at(elements, first, more...);
  }
  ///@}
  /// The elements in row-major order, in the memory of whoever holds the array.
  ///@{
  GS_FN T* data() {
    note_pointer();
    return elements;
  }
  GS_FN const T* data() const {
    note_pointer();
    return elements;
  }
  ///@}
  /// All elements in row-major order, as of a view.
  ///@{
  GS_FN T* begin() { return data(); }
  GS_FN T* end() { return data() + size(); }
  GS_FN const T* begin() const { return data(); }
  GS_FN const T* end() const { return data() + size(); }
  ///@}

  /// In row-major order. Public, so that it may be filled as {{1, 2, 3}}.
  T elements[(Extents * ...)];  // public, so that it may be filled as {{1, 2, 3}}

 private:
  GS_FN GS_UNOBSERVED void note_pointer() const {
#if GRIDSTRIDE_CHECKED && !defined(__CUDA_ARCH__)
    static constexpr std::size_t extents[] = {Extents...};
    instruments::note_pointer(elements, sizeof(T), extents, rank());
#endif
  }
  template <class U, class... I>
  GS_FN GS_UNOBSERVED static U& at(U* elements, I... indices) {
    static_assert(sizeof...(I) == sizeof...(Extents), "an array takes as many indices as it has dimensions");
    constexpr std::size_t extents[] = {Extents...};
#if !GRIDSTRIDE_CHECKED
    // The row first, so that a loop that is unrolled over a row keeps one address and not one for each element.
    if constexpr (sizeof...(Extents) == 2) {
      const std::size_t at[] = {index(indices).value...};
      return (*reinterpret_cast<U(*)[]>(elements + at[0] * extents[1]))[at[1]];
    } else
#endif
      return element_at<true>(elements, extents, indices...);
  }
};

}  // namespace detail

/// An array in the block's shared memory: a member of the struct S in gs::shared<S>.
template <class T, std::size_t... Extents>
using tile = detail::fixed_array<T, Extents...>;

/// An array of one thread's own: a local variable of a kernel. Its elements have no value until they are written.
template <class T, std::size_t... Extents>
using local_array = detail::fixed_array<T, Extents...>;

/// An array that a kernel takes as a parameter, by value: read-only, the same for all threads, at most 4 KiB with all
/// other parameters (a GPU keeps it in its constant memory). The kernel takes `const gs::constant_array<float, 9>
/// weights`.
template <class T, std::size_t... Extents>
using constant_array = detail::fixed_array<T, Extents...>;

}  // namespace gs::inline GS_FLAVOUR
