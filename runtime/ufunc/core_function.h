#pragma once
// A function over core operands, read together with its layout.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/ufunc/gufunc_loop.h"
#include "runtime/ufunc/layout.h"

namespace gs::inline GS_FLAVOUR::detail {

// A parameter's operand: its element type, its number of dimensions, and whether it can be an input or an output.
template <class P>
struct core_parameter {  // T
  using value_type = std::remove_cvref_t<P>;
  static constexpr std::size_t rank = 0;
  static constexpr bool can_be_input = !std::is_reference_v<P>, can_be_output = std::is_same_v<P, value_type&>;
};
template <class T, std::size_t Rank>
struct core_parameter<view<T, Rank>> {
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank = Rank;
  static constexpr bool can_be_input = std::is_const_v<T>, can_be_output = !can_be_input;
};

/// Whether the function F and the layout L fit together.
template <auto F, layout_text L>
struct core_parameters {
  static constexpr layout core_layout = parse_layout(L.view());
  using parameters = typename signature<F>::arguments;
  template <std::size_t K>
  using parameter = core_parameter<std::tuple_element_t<K, parameters>>;

  static constexpr bool returns_nothing = std::is_void_v<typename signature<F>::result>;
  static constexpr bool as_many_operands = signature<F>::arity == core_layout.operand_count();
  static constexpr bool same_ranks = [] {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return ((parameter<K>::rank == core_layout.operands[K].rank) && ...);
    }(std::make_index_sequence<signature<F>::arity>{});
  }();
  static constexpr bool inputs_are_constant = [] {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return ((K >= core_layout.inputs || parameter<K>::can_be_input) && ...);
    }(std::make_index_sequence<signature<F>::arity>{});
  }();
  static constexpr bool outputs_are_mutable = [] {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return ((K < core_layout.inputs || parameter<K>::can_be_output) && ...);
    }(std::make_index_sequence<signature<F>::arity>{});
  }();
};

/// The operands of F with the layout L as types; the two fit together.
template <auto F, layout_text L>
struct core_function {
  static constexpr layout core_layout = parse_layout(L.view());

  template <std::size_t K>
  using element = typename core_parameters<F, L>::template parameter<K>::value_type;

  // core<T, D...> of operand K.
  template <std::size_t K, std::size_t... D>
  static core<element<K>, core_layout.operands[K].dimensions[D]...> core_of(std::index_sequence<D...>);
  template <std::size_t First, std::size_t... K>
  static std::tuple<decltype(core_of<First + K>(std::make_index_sequence<core_layout.operands[First + K].rank>()))...>
      cores(std::index_sequence<K...>);
  using inputs = decltype(cores<0>(std::make_index_sequence<core_layout.inputs>()));
  using outputs = decltype(cores<core_layout.inputs>(std::make_index_sequence<core_layout.outputs>()));

  template <std::size_t... K>
  static std::tuple<element<K>...> elements(std::index_sequence<K...>);
  using input_elements = decltype(elements(std::make_index_sequence<core_layout.inputs>()));

  template <std::size_t... D>
  static core_extents<core_layout.dimensions[D].fixed...> extents_of(std::index_sequence<D...>);
  using extents = decltype(extents_of(std::make_index_sequence<core_layout.dimension_count>()));
};

}  // namespace gs::inline GS_FLAVOUR::detail
