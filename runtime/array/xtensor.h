#pragma once
// xtensor containers as host arrays: xt::xarray, xt::xtensor, xt::xtensor_fixed, adapted ones. Include this beside
// gs.h.

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>

#include "runtime/array/host_array.h"
#include "runtime/array/host_layout.h"

namespace gs::inline GS_FLAVOUR::detail {

/// An xtensor container with elements in memory. Lazy expressions such as `a + b` are not: give xt::eval(a + b).
template <class A>
concept xtensor_container = xt::is_xexpression<A>::value && requires(A a) {
  a.data();
  a.strides();
  a.storage();
};

template <xtensor_container A>
struct host_traits<A> {
  using value_type = typename A::value_type;
  static constexpr int rank = [] {
    constexpr int fixed = static_cast<int>(xt::get_rank<A>::value);
    return xt::get_rank<A>::value == SIZE_MAX ? dynamic_rank : fixed;
  }();

  static shape shape_of(const A& a) { return shape(a.shape()); }

  static const value_type* data_of(const A& a) { return a.data() + a.data_offset(); }

  static bool row_major(const A& a) { return is_row_major(a.shape(), a.strides()); }

  /// Rows, columns, steps, flipped, transposed: whatever xtensor has strides for.
  static host_layout layout_of(const A& a) {
    host_layout layout{shape_of(a), {}};
    std::copy(a.strides().begin(), a.strides().end(), layout.strides.begin());
    return layout;
  }

  template <class R, int Rank>
  using like = std::conditional_t<(Rank == dynamic_rank), xt::xarray<R>, xt::xtensor<R, (Rank > 0 ? Rank : 0)>>;

  static A make(const shape& s) {
    if constexpr (rank != dynamic_rank) {
      if (s.rank() != static_cast<std::size_t>(rank)) refuse_rank(static_cast<std::size_t>(rank), s);
      typename A::shape_type extents{};
      std::copy(s.begin(), s.end(), extents.begin());
      return A::from_shape(extents);
    } else {
      return A::from_shape(typename A::shape_type(s.begin(), s.end()));
    }
  }
};

}  // namespace gs::inline GS_FLAVOUR::detail
