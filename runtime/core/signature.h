#pragma once
// gs::detail::signature: what a function passed as a template argument takes and returns, and what it is called.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/dtype.h"

namespace gs::inline GS_FLAVOUR::detail {

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
concept free_function = requires { typename function_types<decltype(F)>::result; };

// The value of the template argument in a text of the compiler's.
constexpr std::string_view argument_text(std::string_view text) {
  // g++: "... function_name() [with auto F = gaussian; std::string_view = ...]", nvcc's front end: "... [with
  // F=gaussian]"
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

/// The name of F as the compiler writes it, without its arguments: "gaussian", "physics::gaussian". Of a function
/// object it is the name of its type.
template <auto F>
constexpr std::string_view function_name() {
  std::string_view text = argument_text(__PRETTY_FUNCTION__);
  const std::size_t call = text.find("applied<");  // a function object's call, below
  if (call == text.npos) return text;
  text = text.substr(call + 8);  // "add(), float, float" by g++, "add{}, float, float" by nvcc and clang
  return text.substr(0, std::min({text.find("()"), text.find("{}"), text.find(", ")}));
}

/// An object that is called like a function and has no state, so that it can be a template argument; its call may be a
/// template:
///   struct square { template <class T> GS_FN T operator()(T x) const { return x * x; } };      named as square{}
template <auto F>
concept function_object =
    std::is_class_v<std::remove_cvref_t<decltype(F)>> && std::is_empty_v<std::remove_cvref_t<decltype(F)>>;

/// Whether a type has a name: lambdas and `struct { ... }` have none, and nvcc can't make a kernel of them.
template <class T>
constexpr bool is_named() {
  const std::string_view text = __PRETTY_FUNCTION__;
  for (std::size_t at = text.find("unnamed"); at != text.npos; at = text.find("unnamed", at + 1))
    if (!text.substr(at).starts_with("unnamed>::")) return false;  // for nvcc that is a namespace without a name
  return text.find("<lambda") == text.npos && text.find("[lambda") == text.npos && text.find("lambda [") == text.npos &&
         text.find("(lambda") == text.npos;  // the last one by clang
}

/// The call of a function object with arguments of these types, as a function.
#if defined(__clang__)  // which names a class template's arguments, and not those of a function template
template <auto F, class... T>
requires function_object<F> struct applied {
  [[gnu::always_inline]] static GS_FN auto call(T... value) { return F(value...); }
};
#else
template <auto F, class... T>
requires function_object<F> [[gnu::always_inline]] inline GS_FN auto applied(T... value) {
  return F(value...);
}
#endif

// The types of a member function that is a call and no template.
template <class M>
struct call_types;
template <class C, class R, class... A>
struct call_types<R (C::*)(A...) const> {
  using argument_values = std::tuple<std::remove_cvref_t<A>...>;
};
template <class C, class R, class... A>
struct call_types<R (C::*)(A...) const noexcept> : call_types<R (C::*)(A...) const> {};

/// Whether F, a function or a function object, takes arguments of exactly these types.
template <auto F, class... T>
constexpr bool takes_exactly() {
  using callable = std::remove_cvref_t<decltype(F)>;
  if constexpr (free_function<F>)
    return std::is_same_v<std::tuple<T...>, typename function_types<decltype(F)>::argument_values>;
  else if constexpr (requires { typename call_types<decltype(&callable::operator())>::argument_values; })
    return std::is_same_v<std::tuple<T...>, typename call_types<decltype(&callable::operator())>::argument_values>;
  else
    return std::is_invocable_v<const callable&, T...>;
}

/// F for arguments of these types, as a function.
template <auto F, class... T>
constexpr auto function_for() {
  if constexpr (free_function<F>)
    return F;
  else
#if defined(__clang__)
    return &applied<F, T...>::call;
#else
    return &applied<F, T...>;
#endif
}

/// Types and name of the function F.
template <auto F>
requires free_function<F> struct signature {
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
    }(std::make_index_sequence<arity>{});
    return text + ") -> " + dtype_name<result>();
  }
  /// "gaussian(float32, float32, float32) -> float32".
  static std::string text() { return std::string(name()) + types(); }
};

}  // namespace gs::inline GS_FLAVOUR::detail
