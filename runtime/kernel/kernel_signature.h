#pragma once
// What a kernel's parameters tell: its style, the shared memory it needs, and the arguments a launch must pass.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/kernel/block.h"
#include "runtime/kernel/shared.h"
#include "runtime/kernel/thread.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class T>
struct is_block : std::false_type {};
template <unsigned X, unsigned Y, unsigned Z>
struct is_block<block<X, Y, Z>> : std::true_type {};

template <class T>
struct is_shared : std::false_type {};
template <class S>
struct is_shared<shared<S>> : std::true_type {};
template <class T>
struct is_dynamic_shared : std::false_type {};
template <class T>
struct is_dynamic_shared<dynamic_shared<T>> : std::true_type {};

/// The kernel F: first gs::thread or gs::block, then at most one gs::shared and one gs::dynamic_shared, then the
/// launch's arguments.
template <auto F>
struct kernel_signature {
  static_assert(free_function<F> || is_named<decltype(F)>(),
                "launch<f>: nvcc can't make a kernel of a lambda: name a function outside of any function, "
                "GS_FN void kernel(gs::thread t, ...), and write launch<kernel>({...}, arrays...)");
  static_assert(free_function<F>, "launch<f>: f must be a function");
  using types = signature<F>;
  static_assert(std::is_void_v<typename types::result>, "launch<f>: a kernel returns void; write results to an array");

  // The type of parameter K, void where there is none.
  template <std::size_t K>
  static constexpr auto parameter_at() {
    if constexpr (K < types::arity)
      return std::type_identity<typename types::template argument<K>>{};
    else
      return std::type_identity<void>{};
  }
  template <std::size_t K>
  using parameter = typename decltype(parameter_at<K>())::type;

  using first = parameter<0>;
  static constexpr bool block_style = is_block<first>::value;
  static_assert(block_style || std::is_same_v<first, thread>,
                "launch<f>: a kernel's first parameter is gs::thread or gs::block<...>");

  static constexpr bool has_shared = is_shared<parameter<1>>::value;
  static constexpr bool has_dynamic = is_dynamic_shared<parameter<1 + has_shared>>::value;
  /// The number of parameters before the launch's arguments.
  static constexpr std::size_t leading = 1 + has_shared + has_dynamic;
  static constexpr std::size_t arguments = types::arity - leading;

  static constexpr std::size_t static_shared_bytes = [] {
    if constexpr (has_shared)
      return sizeof(typename parameter<1>::value_type);
    else
      return std::size_t{0};
  }();

  /// Calls F with the shared memory it asks for.
  template <class... P>
  GS_FN static void call(first self, void* static_memory, void* dynamic_memory, std::size_t dynamic_bytes,
                         P... parameters) {
    if constexpr (has_shared && has_dynamic) {
      using T = typename parameter<2>::value_type;
      F(self, parameter<1>(static_cast<typename parameter<1>::value_type*>(static_memory)),
        parameter<2>(static_cast<T*>(dynamic_memory), dynamic_bytes / sizeof(T)), parameters...);
    } else if constexpr (has_shared) {
      F(self, parameter<1>(static_cast<typename parameter<1>::value_type*>(static_memory)), parameters...);
    } else if constexpr (has_dynamic) {
      using T = typename parameter<1>::value_type;
      F(self, parameter<1>(static_cast<T*>(dynamic_memory), dynamic_bytes / sizeof(T)), parameters...);
    } else {
      F(self, parameters...);
    }
  }
};

}  // namespace gs::inline GS_FLAVOUR::detail
