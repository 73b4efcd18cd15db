#pragma once
// How the elements of two ranks are combined: a fold of numbers, or a function of the program.

#include <complex>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/world/rank_group.h"
#include "runtime/world/rank_memory.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

[[noreturn]] void refuse_order_of_complex_numbers(const rank_place& place);

/// Calls F for each pair. The library gives the elements of the lower ranks as `in`.
template <auto F, class T>
void combine_elements(void* in, void* inout, int* count, void* /*unused*/) {
  const T* const lower = static_cast<const T*>(in);
  T* const higher = static_cast<T*>(inout);
  for (int i = 0; i < *count; ++i) higher[i] = F(lower[i], higher[i]);
}

template <class T>
T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}

template <class T>
combination combination_by(fold by, const rank_place& place) {
  static_assert(number_type_of<T>() != number_type::none,
                "sum, product, minimum and maximum are of numbers: give a function of two elements, allreduce<f>(x)");
  if constexpr (number_type_of<T>() >= number_type::complex64) {
    if (by == fold::minimum || by == fold::maximum) refuse_order_of_complex_numbers(place);
  } else if constexpr (std::is_unsigned_v<T>) {
    // MPICH 4.0.2 compares these as if they had a sign, and so does Open MPI 4.1.4 unsigned long.
    if (by == fold::minimum) return {by, &combine_elements<smaller<T>, T>};
    if (by == fold::maximum) return {by, &combine_elements<larger<T>, T>};
  }
  return {by, nullptr};
}

template <auto F, class T>
combination combination_with() {
  static_assert(std::is_invocable_r_v<T, decltype(F), T, T>,
                "the function doesn't take two elements of this type, and return such a one");
  return {fold::sum, &combine_elements<F, T>, false};
}

}  // namespace gs::inline GS_FLAVOUR::detail
