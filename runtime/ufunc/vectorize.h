#pragma once
// gs::vectorize: a scalar function becomes a universal function over arrays.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/ufunc/accumulate.h"
#include "runtime/ufunc/outer.h"
#include "runtime/ufunc/reduce.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gs::inline GS_FLAVOUR {

/// A universal function made of one scalar function per signature, or of an object whose call is a template: then its
/// signatures are those that the call can be compiled for. It takes scalars, host arrays and device arrays of
/// exactly the types of one signature, broadcasts them as NumPy does, and never changes an input.
///
///   auto y = gaussian_pdf(x, 0.0f, 1.0f);              host in, host out (the kind of container that went in)
///   auto d = gaussian_pdf(x_device, 0.0f, 1.0f);       device in, device out; returns at once
///   gaussian_pdf(x, 0.0f, 1.0f, gs::out(y));           into an array of the result's shape
///   auto z = gaussian_pdf.on(gs::target::parallel)(x, 0.0f, 1.0f);
///
/// Host arrays run on the default target (the device, unless GRIDSTRIDE_TARGET says otherwise), which copies them there
/// and back. A host array beside a device array is copied to the device. A call with scalars alone is computed at once,
/// on the host. Throws gs::error for shapes that don't broadcast, an output of another shape, and arrays that can't be
/// used; and where the function divides an integer by zero, or the most negative one by -1, on a processor that stops
/// there (x86). On the device it is thrown by the next wait, and the result's elements are undefined. On a GPU the
/// quotient is an arbitrary number.
template <auto... F>
class ufunc {
  static_assert(sizeof...(F) > 0, "vectorize<f, ...>: name one scalar function or more");
  static_assert(
      (detail::is_named<decltype(F)>() && ...),
      "vectorize<f, ...>: nvcc can't make a kernel of a lambda or of a struct without a name: name a function, "
      "or write struct twice { GS_FN float operator()(float x) const { return 2 * x; } }; outside of any "
      "function, and vectorize<twice{}>");
  static_assert(((detail::free_function<F> || detail::function_object<F>) && ...),
                "vectorize<f, ...>: each f must be a function, or an object with a call and no state; cast an "
                "overloaded function");

 public:
  static constexpr std::size_t signature_count = sizeof...(F);  ///< how many functions it has

  constexpr ufunc() = default;

  /// The same ufunc with its target chosen; a stream chooses the device and the queue.
  ///@{
  constexpr ufunc on(target t) const {
    ufunc chosen = *this;
    chosen.request = {.is_chosen = true, .chosen = t};
    return chosen;
  }
  constexpr ufunc on(const stream& s) const {
    ufunc chosen = *this;
    chosen.request = {.is_chosen = true, .chosen = target::device, .on_stream = &s};
    return chosen;
  }
  ///@}

  /// One argument per parameter of the scalar function, then perhaps the output, gs::out(y): then nothing is returned.
  template <class... A>
  GS_RESULT auto operator()(const A&... argument) const {
    static_assert(
        (!detail::recorded_on_a_tape<A> && ...),
        "this is a variable of a tape: write tape(f, x), as in tape(gs::exp, x), so that the call is recorded");
    static_assert(((detail::ufunc_input<A> || detail::is_output<A>::value || detail::recorded_on_a_tape<A>) && ...),
                  "a ufunc takes numbers, host arrays, device arrays and gs::out(array); evaluate a lazy "
                  "expression first, and include runtime/array/xtensor.h for xtensor containers");
    constexpr std::size_t outputs = (0 + ... + detail::is_output<A>::value);
    static_assert(outputs <= 1, "a ufunc has one output");
    if constexpr (outputs == 0) {
      return detail::call<function<detail::element_t<A>...>(), result<detail::element_t<A>...>>(request, argument...);
    } else {
      static_assert(detail::is_output<std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>>::value,
                    "gs::out(array) is the last argument");
      const auto arguments = std::tie(argument...);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        detail::call_into<function<detail::element_t<decltype(std::get<K>(arguments))>...>(),
                          result<detail::element_t<decltype(std::get<K>(arguments))>...>>(
            request, std::get<sizeof...(A) - 1>(arguments).array, std::get<K>(arguments)...);
      }(std::make_index_sequence<sizeof...(A) - 1>{});
    }
  }

  /// Folds a binary ufunc over all elements, or along one axis (negative numbers count from the end). The function must
  /// be associative: operands keep their order, neighbours are combined first, and the grouping depends on the shape
  /// alone, so that a result has the same bits on every target. A reduction of all elements of a host array
  /// gives a value, of a device array a device array of shape (), or goes to gs::out(array), an array of one element. A
  /// reduction of 0 elements throws gs::error without gs::initial(value).
  ///@{
  template <class A>
  GS_RESULT auto reduce(const A& array) const {
    return detail::reduce_all<binary<A>()>(request, array, std::optional<detail::element_t<A>>());
  }
  template <class A>
  GS_RESULT auto reduce(const A& array, initial<detail::element_t<A>> start) const {
    return detail::reduce_all<binary<A>()>(request, array, std::optional(start.value));
  }
  template <class A, class Out>
  void reduce(const A& array, detail::output<Out> result) const {
    detail::reduce_all_into<binary<A>()>(request, result.array, array, std::optional<detail::element_t<A>>());
  }
  template <class A, class Out>
  void reduce(const A& array, initial<detail::element_t<A>> start, detail::output<Out> result) const {
    detail::reduce_all_into<binary<A>()>(request, result.array, array, std::optional(start.value));
  }
  template <class A>
  GS_RESULT auto reduce(const A& array, axis along) const {
    return detail::reduce_axis<binary<A>()>(request, array, along, std::optional<detail::element_t<A>>());
  }
  template <class A>
  GS_RESULT auto reduce(const A& array, axis along, initial<detail::element_t<A>> start) const {
    return detail::reduce_axis<binary<A>()>(request, array, along, std::optional(start.value));
  }
  ///@}

  /// Running results along an axis, as NumPy's accumulate: out[k] = f(out[k - 1], in[k]). The result has the input's
  /// shape. The function must be associative; the grouping depends on the shape alone.
  template <class A>
  GS_RESULT auto accumulate(const A& array, axis along = axis(0)) const {
    return detail::accumulate_axis<binary<A>()>(request, array, along);
  }

  /// f(a[i], b[j]) for every i and j: the result's shape is a's followed by b's. A std::vector holds it flat, row by
  /// row.
  template <detail::ufunc_input A, detail::ufunc_input B, class... Out>
  GS_RESULT auto outer(const A& a, const B& b, const Out&... output) const {
    return detail::outer_call<function<detail::element_t<A>, detail::element_t<B>>(),
                              result<detail::element_t<A>, detail::element_t<B>>>(request, a, b, output...);
  }

  /// The signatures in the order they were named: "add_f32(float32, float32) -> float32".
  static std::vector<std::string> signatures() requires(detail::free_function<F> && ...) {
    return {detail::signature<F>::text()...};
  }

  detail::target_request request;  ///< what on() chose; public, as a ufunc can be a template argument

 private:
  // The function for these element types, and its result.
  template <class... Element>
  static constexpr auto function() {
    return detail::function_for<std::get<match<Element...>()>(std::tuple(F...)), Element...>();
  }
  template <class... Element>
  using result = typename detail::function_types<decltype(function<Element...>())>::result;

  // The number of the signature that takes exactly these element types.
  template <class... Element>
  static constexpr std::size_t match() {
    static_assert((may_take<F>(sizeof...(Element)) || ...), "a ufunc takes one argument per parameter of its function");
    constexpr std::array<bool, signature_count> fits{detail::takes_exactly<F, Element...>()...};
    constexpr auto first = static_cast<std::size_t>(std::find(fits.begin(), fits.end(), true) - fits.begin());
    static_assert(first < signature_count,
                  "no signature of this ufunc takes exactly these element types, and values are never converted: write "
                  "1.0f where a float is taken, or name a function for these types in vectorize<...>");
    return first;
  }

  template <auto G>
  static constexpr bool may_take(std::size_t arguments) {
    if constexpr (detail::free_function<G>)
      return detail::signature<G>::arity == arguments;
    else
      return true;
  }

  // The function of two elements of A that returns a third.
  template <class A>
  static constexpr auto binary() {
    using T = detail::element_t<A>;
    static_assert(detail::ufunc_input<A> && !scalar<A>, "reduce and accumulate take an array");
    static_assert((may_take<F>(2) || ...), "reduce and accumulate need a function (T, T) -> T");
    static_assert(std::is_same_v<result<T, T>, T>, "reduce and accumulate need a function (T, T) -> T");
    return function<T, T>();
  }
};

/// The ufunc of the scalar functions F, one per signature.
///   inline constexpr auto add = gs::vectorize<add_f32, add_i64>;
template <auto... F>
inline constexpr ufunc<F...> vectorize{};

}  // namespace gs::inline GS_FLAVOUR
