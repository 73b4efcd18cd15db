#pragma once
// gs::signature: what a function passed as a template argument takes and returns, and what it is called.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/dtype.h"

namespace gs::inline GS_FLAVOUR {

template <class F>
struct function_types;
template <class R, class... A>
struct function_types<R (*)(A...)> {
  using result = R;
  using arguments = std::tuple<A...>;
  using argument_values = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class... A>
struct function_types<R (*)(A...) noexcept> : function_types<R (*)(A...)> {};

/// A function that can be a template argument of vectorize or launch.
template <auto F>
concept free_function = requires {
  typename function_types<decltype(F)>::result;
};

/// The name of F as the compiler writes it, without its arguments: "gaussian", "physics::gaussian".
template <auto F>
constexpr std::string_view function_name() {
  // g++: "... function_name() [with auto F = gaussian; std::string_view = ...]", nvcc's front end: "... [with
  // F=gaussian]"
  std::string_view text = __PRETTY_FUNCTION__;
  std::size_t start = text.find("F = ");
  start = start != text.npos ? start + 4 : text.find("F=") + 2;
  text = text.substr(start);
  std::size_t end = 0, depth = 0;  // up to the ';' or ']' that isn't inside template brackets
  for (; end < text.size(); ++end) {
    if (text[end] == '<') ++depth;
    if (text[end] == '>' && depth > 0) --depth;
    if (depth == 0 && (text[end] == ';' || text[end] == ']')) break;
  }
  text = text.substr(0, end);
  if (!text.empty() && text.front() == '&') text.remove_prefix(1);
  if (!text.empty() && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  return text;
}

/// Types and name of the function F.
template <auto F>
requires free_function<F>
struct signature {
  using result = typename function_types<decltype(F)>::result;
  using arguments = typename function_types<decltype(F)>::arguments;
  using argument_values = typename function_types<decltype(F)>::argument_values;  ///< without const and references
  static constexpr std::size_t arity = std::tuple_size_v<arguments>;
  template <std::size_t K>
  using argument = std::tuple_element_t<K, arguments>;

  static constexpr std::string_view name() {
    constexpr std::string_view known = function_name<F>();  // every block uses it: found at compile time
    return known;
  }

  /// The types as NumPy writes them: "(float32, float32) -> float32".
  static std::string types() {
    std::string text = "(";
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((text += (K ? ", " : "") + dtype_name<std::tuple_element_t<K, argument_values>>()), ...);
    }
    (std::make_index_sequence<arity>{});
    return text + ") -> " + dtype_name<result>();
  }
  /// "gaussian(float32, float32, float32) -> float32".
  static std::string text() { return std::string(name()) + types(); }
};

}  // namespace gs::inline GS_FLAVOUR
