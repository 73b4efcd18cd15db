#pragma once
// gs::grad: derivatives of scalar functions, as functions and as ufuncs.

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/grad/dual.h"
#include "runtime/ufunc/guvectorize.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// The function object that a ufunc is made of; F itself if it is no ufunc.
template <auto F>
constexpr auto function_of(const ufunc<F>&) {
  return F;
}
template <class F>
requires std::is_empty_v<F> constexpr F function_of(const F& function) {
  return function;
}

// A number with a tangent of 1 in one direction of N, or in none. (Without a loop: g++ wouldn't unroll it in time.)
template <std::size_t N, std::size_t Direction, class T>
GS_FN constexpr auto seeded(const T& value) {
  static_assert(!std::is_integral_v<T> || Direction == N,
                "grad<f, K...>: an argument is an integer, which has no derivative");
  if constexpr (std::is_integral_v<T>) {
    return value;
  } else {
    dual<T, N> x;
    x.value = value;
    if constexpr (Direction < N) x.tangent[Direction] = T(1);
    return x;
  }
}
// The number of argument `argument` among K, or how many these are.
template <std::size_t... K>
constexpr std::size_t direction_of(std::size_t argument) {
  std::size_t direction = 0, found = sizeof...(K);
  ((K == argument ? found = direction : 0, ++direction), ...);
  return found;
}

// F of arguments that are variables, where K names them, or constants: a dual number, or a number if F depends on none.
template <auto F, std::size_t... K, class... T>
GS_FN auto with_tangents(const T&... x) {
  static_assert(((K < sizeof...(T)) && ...), "grad<f, K...>: f has fewer arguments than K says; they count from 0");
  return [&]<std::size_t... J>(std::index_sequence<J...>) {
    static_assert(std::is_invocable_v<decltype(F), decltype(seeded<sizeof...(K), direction_of<K...>(J)>(x))...>,
                  "grad<f>: f takes no dual numbers: its call must be a template, "
                  "template <class T> GS_FN T operator()(T x) const, and name functions as `using std::exp; exp(x)`");
    return F(seeded<sizeof...(K), direction_of<K...>(J)>(x)...);
  }(std::index_sequence_for<T...>());
}

/// The derivative of F by its argument number K, a function of numbers: for use inside other functions.
///   derivative<f>()(x, y)        df/dx
///   derivative<f, 1>()(x, y)     df/dy
template <auto F, std::size_t K = 0>
struct derivative {
  /// At a point: all of F's arguments.
  template <class T, class... More>
  GS_FN auto operator()(T x, More... more) const {
    return with_tangents<F, K>(x, more...).tangent[0];
  }
};

// T, for each number of a pack.
template <class T, std::size_t>
struct repeated {
  using type = T;
};

// How many arguments F takes: the smallest number of doubles that it can be called with.
template <auto F, std::size_t N = 1>
constexpr std::size_t arity_of() {
  constexpr bool fits = []<std::size_t... J>(std::index_sequence<J...>) {
    return std::is_invocable_v<decltype(F), typename repeated<dual<double>, J>::type...>;
  }(std::make_index_sequence<N>());
  static_assert(fits || N < 12,
                "grad<f>: f takes no dual numbers: its call must be a template, "
                "template <class T> GS_FN T operator()(T x) const, and name functions as `using std::exp; exp(x)`");
  if constexpr (fits || N == 12)
    return N;
  else
    return arity_of<F, N + 1>();
}

// Several results: written to references, as a generalised ufunc's function does.
template <auto F, bool WithValue, class T, class Arguments, class Results, std::size_t... K>
struct gradient_writer;
template <auto F, bool WithValue, class T, std::size_t... Argument, std::size_t... Result, std::size_t... K>
struct gradient_writer<F, WithValue, T, std::index_sequence<Argument...>, std::index_sequence<Result...>, K...> {
  [[gnu::always_inline]] static GS_FN void write(typename repeated<T, Argument>::type... x,
                                                 typename repeated<T&, Result>::type... result) {
    const dual<T, sizeof...(K)> y = with_tangents<F, K...>(x...);
    const auto number = [&](std::size_t r) {
      return WithValue && r == 0 ? y.value : y.tangent[r - (WithValue ? 1 : 0)];
    };
    ((result = number(Result)), ...);
  }
};

// "(),()->(),()", for so many arguments and results.
template <std::size_t Arguments, std::size_t Results>
constexpr auto scalar_layout() {
  constexpr std::size_t length = Arguments * 3 - 1 + 2 + Results * 3 - 1;
  char text[length + 1]{};
  std::size_t at = 0;
  const auto write = [&](std::size_t operands) {
    for (std::size_t k = 0; k < operands; ++k) {
      if (k > 0) text[at++] = ',';
      text[at++] = '(';
      text[at++] = ')';
    }
  };
  write(Arguments);
  text[at++] = '-';
  text[at++] = '>';
  write(Results);
  return layout_text<length + 1>(text);
}

template <auto F, bool WithValue, std::size_t... K>
constexpr auto gradient_ufunc() {
  constexpr std::size_t arguments = arity_of<F>(), results = sizeof...(K) + (WithValue ? 1 : 0);
  using a = std::make_index_sequence<arguments>;
  using r = std::make_index_sequence<results>;
  return guvectorize<&gradient_writer<F, WithValue, float, a, r, K...>::write, scalar_layout<arguments, results>(),
                     &gradient_writer<F, WithValue, double, a, r, K...>::write>;
}

template <auto F, std::size_t... K>
constexpr auto make_grad() {
  if constexpr (sizeof...(K) == 0)
    return vectorize<derivative<F, 0>{}>;
  else if constexpr (sizeof...(K) == 1)
    return vectorize<derivative<F, K...>{}>;
  else
    return gradient_ufunc<F, false, K...>();
}
template <auto F, std::size_t... K>
constexpr auto make_value_and_grad() {
  if constexpr (sizeof...(K) == 0)
    return gradient_ufunc<F, true, 0>();
  else
    return gradient_ufunc<F, true, K...>();
}

}  // namespace detail

/// The derivative of a scalar function by its first argument, or by those that K numbers, from 0: a ufunc, with
/// targets, streams and broadcasting. F is an object whose call is a template, or a ufunc of one:
///
///   struct bell {
///     template <class T> GS_FN T operator()(T x, T width) const { using std::exp; return exp(-x * x / width); }
///   };
///   auto slope = gs::grad<bell{}>(x, 2.0f);                     // by x
///   auto [by_x, by_width] = gs::grad<bell{}, 0, 1>(x, width);   // both, in one loop
///   auto curvature = gs::grad<gs::grad<bell{}>>(x, 2.0f);       // the second derivative
///   auto slope_of_tanh = gs::grad<gs::tanh>(x);
///
/// All arguments are float, or all double. Several results are computed by one loop and come as a std::tuple of arrays,
/// and need an array among the arguments. An `if` on values takes one way, whose derivative this is; where a function
/// has a corner it is that of one side. Other types, integers among them, don't compile.
template <auto F, std::size_t... K>
inline constexpr auto grad = detail::make_grad<detail::function_of(F), K...>();

/// The function's value and its derivatives, in one loop: auto [y, by_x] = gs::value_and_grad<bell{}>(x, width).
template <auto F, std::size_t... K>
inline constexpr auto value_and_grad = detail::make_value_and_grad<detail::function_of(F), K...>();

}  // namespace gs::inline GS_FLAVOUR
