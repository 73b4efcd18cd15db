#pragma once
// A source's functions as Python finds them: the end of every source that gridstride.compile compiles. What the
// compiler knows of each function decides what Python can do with it.

#include "python/binding/describe.h"
#include "python/binding/launch.h"

namespace gridstride_python {

/// The function F as a kernel, or as what others are made of.
template <auto F>
constexpr function describe(std::string_view name) {
  function f{.name = name};
  if constexpr (is_kernel<F>()) {
    using kernel = gs::detail::kernel_signature<F>;
    f.kind = function_kind::kernel;
    f.parameters = parameters_of<F, kernel::leading>;
    f.block_style = kernel::block_style;
    f.launch = &launch<F>;
  } else {
    f.kind = is_scalar_function<F>() ? function_kind::scalar : function_kind::other;
    f.parameters = parameters_of<F>;
    if constexpr (!std::is_void_v<typename types_of<F>::result>)
      f.result = describe_parameter<typename types_of<F>::result>();
  }
  return f;
}

}  // namespace gridstride_python

/// Ends a module: the list of what Python finds in it.
///   GRIDSTRIDE_PYTHON_FUNCTIONS(gridstride_python::describe<&flood>("flood"))
#define GRIDSTRIDE_PYTHON_FUNCTIONS(...)                                                                            \
  static constexpr gridstride_python::function gridstride_python_list[] = {__VA_ARGS__};                            \
  extern "C" __attribute__((visibility("default"))) gridstride_python::function_list gridstride_python_functions(); \
  gridstride_python::function_list gridstride_python_functions() { return {.functions = gridstride_python_list}; }
