#pragma once
// gs::guvectorize: a function over small arrays becomes a generalised universal function over arrays of such arrays.

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/ufunc/gufunc_call.h"

namespace gs::inline GS_FLAVOUR {

/// A generalised universal function: one function per signature, and the layout of their operands, as in NumPy
/// (https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html). The last dimensions of each operand are
/// those of the layout, and one call of the function gets them; the dimensions in front are looped over and broadcast.
///
///   GS_FN void l2(gs::view<const float> x, float& norm);
///   inline constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()">;
///   auto n = l2_norm(points);                          shape (1000, 2) in, (1000,) out
///   inline constexpr auto matmul = gs::guvectorize<mm, "(m,n),(n,p)->(m,p)">;
///   matmul(a, b, gs::out(c));                          (10, 2, 3) and (3, 4) into (10, 2, 4)
///
/// The function's parameters are the inputs, `gs::view<const T, Rank>` or, for (), `T`; then the outputs,
/// `gs::view<T, Rank>` or, for (), `T&`. It returns nothing. Extents may be numbers, "(3),(3)->(3)"; an output with
/// a dimension that no input has is passed with gs::out. Several outputs come back as a std::tuple.
///
/// Targets, streams, copies and exact types are those of gs::ufunc. An output may overlap an input. On the host the
/// loop is spread over the cores, on a GPU one thread does one call. Throws gs::error for arrays with too few
/// dimensions, extents that differ where the layout has one name, outer dimensions that don't broadcast and outputs of
/// another shape.
template <detail::layout_text L, auto... F>
class gufunc {
  static constexpr detail::layout core_layout = detail::parse_layout(L.view());
  static_assert(core_layout.mistake != detail::layout_mistake::no_arrow,
                "layout: no arrow; write \"(inputs)->(outputs)\"");
  static_assert(core_layout.mistake != detail::layout_mistake::two_arrows,
                "layout: more than one arrow; write \"(inputs)->(outputs)\"");
  static_assert(core_layout.mistake != detail::layout_mistake::unbalanced,
                "layout: a parenthesis has no partner; write \"(i),(i)->()\"");
  static_assert(core_layout.mistake != detail::layout_mistake::empty_name,
                "layout: a dimension without a name beside a comma");
  static_assert(core_layout.mistake != detail::layout_mistake::not_a_name,
                "layout: a dimension is a name of letters, digits and _, or a number");
  static_assert(core_layout.mistake != detail::layout_mistake::zero_extent, "layout: a dimension's extent can't be 0");
  static_assert(core_layout.mistake != detail::layout_mistake::no_comma,
                "layout: operands stand in parentheses, with a comma between");
  static_assert(core_layout.mistake != detail::layout_mistake::no_input,
                "layout: no input in front of the arrow; a number is ()");
  static_assert(core_layout.mistake != detail::layout_mistake::no_output,
                "layout: no output behind the arrow; a number is ()");
  static_assert(core_layout.mistake != detail::layout_mistake::too_large,
                "layout: more than 16 operands, 8 dimensions of one, 32 of all, or an extent over 1,000,000");
  static_assert((detail::free_function<F> && ...),
                "guvectorize<f, layout>: f must be a function; cast an overloaded one");
  static_assert((detail::core_parameters<F, L>::returns_nothing && ...),
                "guvectorize<f, layout>: f returns void; it writes to its last parameters, T& where the layout has ()");
  static_assert((detail::core_parameters<F, L>::as_many_operands && ...),
                "guvectorize<f, layout>: the layout has another number of operands than the function has parameters");
  static_assert(
      (detail::core_parameters<F, L>::same_ranks && ...),
      "guvectorize<f, layout>: an operand has another number of dimensions in the layout than in the function; "
      "(m,n) is a gs::view<T, 2>, () a number");
  static_assert((detail::core_parameters<F, L>::inputs_are_constant && ...),
                "guvectorize<f, layout>: an input is gs::view<const T, Rank>, or T where the layout has ()");
  static_assert((detail::core_parameters<F, L>::outputs_are_mutable && ...),
                "guvectorize<f, layout>: an output is gs::view<T, Rank>, or T& where the layout has ()");

 public:
  static constexpr std::size_t signature_count = sizeof...(F);  ///< how many functions it has

  constexpr gufunc() = default;

  /// The same with its target chosen; a stream chooses the device and the queue.
  ///@{
  constexpr gufunc on(target t) const {
    gufunc chosen = *this;
    chosen.request_ = {.is_chosen = true, .chosen = t};
    return chosen;
  }
  constexpr gufunc on(const stream& s) const {
    gufunc chosen = *this;
    chosen.request_ = {.is_chosen = true, .chosen = target::device, .on_stream = &s};
    return chosen;
  }
  ///@}

  /// One argument per input, then gs::out(array) for every output or for none. With outputs nothing is returned.
  template <class... A>
  GS_RESULT auto operator()(const A&... argument) const {
    static_assert((!detail::recorded_on_a_tape<A> && ...),
                  "this is a variable of a tape, and a gufunc has no adjoint: give one, tape.call(gufunc, adjoint, x)");
    static_assert(((detail::ufunc_input<A> || detail::is_output<A>::value || detail::recorded_on_a_tape<A>) && ...),
                  "a ufunc takes numbers, host arrays, device arrays and gs::out(array); evaluate a lazy "
                  "expression first, and include runtime/array/xtensor.h for xtensor containers");
    constexpr std::size_t outputs = (0 + ... + detail::is_output<A>::value), inputs = sizeof...(A) - outputs;
    static_assert(inputs == core_layout.inputs, "a generalised ufunc takes one argument per input of its layout");
    static_assert(outputs == 0 || outputs == core_layout.outputs,
                  "gs::out(array) is given once per output of the layout, or not at all");
    static_assert(outputs > 0 || outputs_are_known,
                  "an output has a dimension that no input has: give the array with gs::out(array)");
    const auto arguments = std::tie(argument...);
    return [&]<std::size_t... K, std::size_t... J>(std::index_sequence<K...>, std::index_sequence<J...>) {
      static_assert((!detail::is_output<std::tuple_element_t<K, std::tuple<A...>>>::value && ...),
                    "gs::out(array) comes behind the inputs");
      constexpr std::size_t k = match<detail::element_t<decltype(std::get<K>(arguments))>...>();
      constexpr auto f = std::get<k>(std::tuple(F...));
      using chosen = detail::core_function<f, L>;
      if constexpr (outputs == 0)
        return detail::call_gufunc<chosen, f>(request_, std::get<K>(arguments)...);
      else
        detail::call_gufunc_into<chosen, f>(request_, std::tuple(std::get<inputs + J>(arguments)...),
                                            std::get<K>(arguments)...);
    }(std::make_index_sequence<inputs>{}, std::make_index_sequence<outputs>{});
  }

 private:
  // Whether the inputs decide every extent of the outputs.
  static constexpr bool outputs_are_known = [] {
    for (const detail::layout::dimension& d : core_layout.dimensions)
      if (!d.name.empty() && !d.in_an_input && d.fixed == 0) return false;
    return true;
  }();

  // The number of the signature that takes exactly these element types.
  template <class... Element>
  static constexpr std::size_t match() {
    constexpr std::array<bool, signature_count> fits{
        std::is_same_v<std::tuple<Element...>, typename detail::core_function<F, L>::input_elements>...};
    constexpr auto first = static_cast<std::size_t>(std::find(fits.begin(), fits.end(), true) - fits.begin());
    static_assert(first < signature_count,
                  "no signature of this ufunc takes exactly these element types, and values are never converted: write "
                  "1.0f where a float is taken, or name a function for these types in guvectorize<...>");
    return first;
  }

  detail::target_request request_;
};

/// The generalised ufunc of the functions F and More, one per signature, that all have the layout L.
///   inline constexpr auto l2_norm = gs::guvectorize<l2_f32, "(i)->()", l2_f64>;
template <auto F, detail::layout_text L, auto... More>
inline constexpr gufunc<L, F, More...> guvectorize{};

}  // namespace gs::inline GS_FLAVOUR
