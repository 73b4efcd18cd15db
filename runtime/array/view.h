#pragma once
// gs::view: how a kernel sees an array. No ownership, a rank that is part of the type, row-major, contiguous.

#include <array>
#include <cstddef>
#include <type_traits>

#include "runtime/array/index.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// A row-major view of `Rank` dimensions over device memory: v[i] for rank 1, v(i, j, ...) for more, as in mdspan.
/// Copying a view copies no elements. In the checked flavour an index outside the shape is an error that names the
/// line; in the plain flavour nothing is checked.
template <class T, std::size_t Rank = 1>
class view {
  static_assert(Rank >= 1, "a view has 1 dimension or more; pass a scalar by value");

 public:
  using element_type = T;                               ///< constant, where they can't be written to
  using value_type = std::remove_cv_t<T>;               ///< the type of an element, not constant
  static constexpr std::size_t rank() { return Rank; }  ///< how many dimensions

  view() = default;
  /// Over `data`, in device memory.
  GS_FN view(T* data, const std::array<std::size_t, Rank>& extents) : data_(data), extents_(extents) {}
  /// Over `n` elements.
  GS_FN view(T* data, std::size_t n) requires(Rank == 1) : data_(data), extents_{n} {}
  /// A view of mutable elements converts to one of constant elements.
  template <class U>
  requires(std::is_same_v<const U, T>)
  GS_FN view(const view<U, Rank>& other) : data_(other.data()), extents_(other.extents()) {}

  /// The element at an index, of a view with one dimension.
  GS_FN GS_UNOBSERVED T& operator[](detail::index i) const {
    static_assert(Rank == 1, "v[i] is for views of 1 dimension: write v(i, j) with an index per dimension");
    return detail::element_at(data_, extents_.data(), i);
  }

  /// The element at these indices, one for each dimension.
  template <class... I>
  GS_FN GS_UNOBSERVED T& operator()(detail::index first, I... more) const {
    static_assert(sizeof...(I) + 1 == Rank, "a view takes as many indices as it has dimensions");
    return detail::element_at(data_, extents_.data(), first, more...);
  }

  GS_FN std::size_t extent(std::size_t d) const { return extents_[d]; }            ///< of dimension `d`, from 0 on
  GS_FN const std::array<std::size_t, Rank>& extents() const { return extents_; }  ///< of all dimensions
  /// How many elements.
  GS_FN std::size_t size() const {
    std::size_t n = 1;
    for (std::size_t d = 0; d < Rank; ++d) n *= extents_[d];
    return n;
  }
  GS_FN bool empty() const { return size() == 0; }  ///< whether there are no elements
  GS_FN T* data() const { return data_; }           ///< the first element, in device memory

  /// All elements in row-major order, for range-for and the standard algorithms; of any rank, as in xtensor (NumPy's
  /// `for` goes through rows). The instruments see each access, by its line and its address: no index is checked.
  ///@{
  GS_FN T* begin() const { return data_; }
  GS_FN T* end() const { return data_ + size(); }
  ///@}

 private:
  T* data_ = nullptr;
  std::array<std::size_t, Rank> extents_{};
};

}  // namespace gs::inline GS_FLAVOUR
