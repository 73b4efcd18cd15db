#pragma once
// function_ref: a callable passed down by reference, without allocation and without a template in the callee.

#include <memory>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class Signature>
class function_ref;

/// Refers to a callable that must outlive the call it is passed to. (std::function_ref comes with C++26.)
template <class R, class... Args>
class function_ref<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref> && std::is_invocable_r_v<R, F&, Args...>)
  function_ref(F&& f) noexcept  // NOLINT: callables convert
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace gs::inline GS_FLAVOUR::detail
