#pragma once
// gs::reduce: a fold of all elements of an array by a function of two.

#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// Folds all elements of an array with an associative function (T, T) -> T, one function per type.
///
///   float total = gs::reduce<add>(x, 0.0f);                    a host array gives a value
///   auto total = gs::reduce<add>(x_device, 0.0f);              a device array gives a device array of shape ()
///   gs::reduce<add>(x_device, 0.0f, gs::out(total_device));    into an array of one element
///   float total = gs::reduce<add>.on(gs::target::parallel)(x, 0.0f);
///
/// Operands keep their order, so the function needn't commute. Neighbours are combined first, in a tree that the number
/// of elements alone decides: the same bits on any number of cores and on every target. The identity is folded in once,
/// in front, and is the result for 0 elements; without an identity 0 elements throw gs::error. The input is never
/// changed.
template <auto... F>
class reduction {
 public:
  constexpr reduction() = default;

  /// The same with its target chosen; a stream chooses the device and the queue.
  ///@{
  constexpr reduction on(target t) const { return reduction(ufunc<F...>().on(t)); }
  constexpr reduction on(const stream& s) const { return reduction(ufunc<F...>().on(s)); }
  ///@}

  /// Of all elements; see above.
  ///@{
  template <class A>
  auto operator()(const A& array) const {
    return ufunc_.reduce(array);
  }
  template <class A, class T>
  requires(!is_output<T>::value) auto operator()(const A& array, T identity) const {
    return ufunc_.reduce(array, start<A>(identity));
  }
  template <class A, class Out>
  void operator()(const A& array, output<Out> result) const {
    ufunc_.reduce(array, result);
  }
  template <class A, class T, class Out>
  void operator()(const A& array, T identity, output<Out> result) const {
    ufunc_.reduce(array, start<A>(identity), result);
  }
  ///@}

 private:
  constexpr explicit reduction(const ufunc<F...>& binary) : ufunc_(binary) {}

  template <class A, class T>
  static constexpr auto start(T identity) {
    static_assert(std::is_same_v<T, element_t<A>>,
                  "reduce: the identity has another type than the elements, and values are never converted: write 0.0f "
                  "for a float");
    return initial<element_t<A>>(identity);
  }

  ufunc<F...> ufunc_;
};

}  // namespace detail

/// The reduction by the functions F, one per type.
template <auto... F>
inline constexpr detail::reduction<F...> reduce{};

}  // namespace gs::inline GS_FLAVOUR
