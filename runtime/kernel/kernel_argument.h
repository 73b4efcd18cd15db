#pragma once
// Arguments of a launch: what may be passed to a kernel, and what it becomes there.

#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/device/stream.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class T>
struct is_view : std::false_type {};
template <class T, std::size_t Rank>
struct is_view<view<T, Rank>> : std::true_type {};

/// An argument of a launch, for messages: the kernel, and the argument's number, counted from 1.
struct argument_name {
  std::string_view kernel;
  std::size_t number;
};
/// Runs a check of an argument; a gs::error that it throws gets the argument's number and the kernel's name.
void check_argument(const argument_name& name, function_ref<void()> check);
[[noreturn]] void refuse_integer(const argument_name& name, const std::string& dtype);

/// Converts an argument of a launch to P, the type of the kernel's parameter number `Position`; g++ names both if they
/// don't fit. Arrays become views; integers may change their width if the value fits; nothing else is converted.
template <std::size_t Position, class P, class A>
P kernel_argument(A& argument, const argument_name& name) {
  using B = std::remove_cvref_t<A>;
  static_assert(!std::is_reference_v<P>, "a kernel takes its parameters by value");
  static_assert(!std::is_pointer_v<P>, "a kernel takes gs::view, not a pointer");
  static_assert(std::is_trivially_copyable_v<P>, "a kernel's parameters must be trivially copyable");
  if constexpr (any_device_array<B>) {
    static_assert(is_view<P>::value, "a device array was given where the kernel takes a scalar");
    static_assert(std::is_same_v<typename P::value_type, typename B::value_type>,
                  "the device array holds another type of element than the kernel's view");
    check_argument(name, [&] {
      argument.memory();
      check_rank(argument.shape(), P::rank());
    });
    if constexpr (!std::is_const_v<std::remove_pointer_t<decltype(std::declval<P>().data())>>)
      argument.memory()->note_write();
    return argument;
  } else if constexpr (is_view<B>::value) {
    static_assert(std::is_convertible_v<B, P>, "the view's rank or element type differs from the kernel's parameter");
    if (!argument.empty()) check_argument(name, [&] { check_device_pointer(argument.data()); });
    return argument;
  } else if constexpr (std::is_pointer_v<B>) {
    static_assert(!std::is_pointer_v<B>, "a host pointer never reaches a kernel: pass a gs::device_array");
  } else if constexpr (host_array<B> && !std::is_same_v<B, P>) {
    static_assert(!host_array<B>,
                  "a host array never reaches a kernel: copy it with gs::to_device and pass the result");
  } else if constexpr (std::is_integral_v<B> && std::is_integral_v<P> && !std::is_same_v<B, P> &&
                       !std::is_same_v<B, bool> && !std::is_same_v<P, bool>) {
    if (!std::in_range<P>(argument)) refuse_integer(name, dtype_name<P>());
    return static_cast<P>(argument);
  } else {
    static_assert(std::is_same_v<B, P>,
                  "the argument's type differs from the kernel's parameter, and values are never converted: write the "
                  "type the kernel takes, 2.0f for a float");
    return argument;
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
