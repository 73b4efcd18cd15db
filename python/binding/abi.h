#pragma once
// What a compiled source tells Python of its functions, and how Python calls them: by addresses and shapes, without
// the types that the compiler knew.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/array/view.h"
#include "runtime/core/shape.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/execute.h"

namespace gridstride_python {

/// Changes with every change of this file: a module of another version isn't called.
inline constexpr int abi_version = 1;

/// How a parameter is passed.
enum class parameter_kind : std::uint8_t {
  number,     ///< by value, of an arithmetic or complex type
  record,     ///< by value, any other type
  constants,  ///< by value, a gs::constant_array
  view,       ///< gs::view
  reference   ///< a reference to a number: the output of a function for guvectorize
};

/// A parameter of a function, or its result.
struct parameter {
  parameter_kind kind = parameter_kind::record;
  std::string_view type = {};  ///< of a number or an element: "float32"; of a struct its name, "particle"
  std::size_t bytes = 0;       ///< of an element, or of what is passed by value
  std::size_t rank = 0;        ///< of a view
  bool is_constant = false;    ///< whether nothing is written to it
};

/// What a function is called as.
enum class function_kind : std::uint8_t {
  kernel,
  scalar,       ///< of numbers, with a number as its result: a ufunc's loop can be made of it
  other,        ///< for guvectorize, or for other functions
  elementwise,  ///< a ufunc's loop
  reduction,
  accumulation,
  generalised  ///< the loop of a generalised ufunc
};

/// An input of a ufunc's loop: an array, or a single number.
struct operand {
  const void* data = nullptr;  ///< null: `value`
  gs::shape extents = {};      ///< of a generalised ufunc: of the whole array
  alignas(16) std::array<std::byte, 16> value = {};
};

/// An argument of a launch: a device array for a view, or the bytes of a value.
struct argument {
  void* data = nullptr;
  gs::shape extents = {};
};

/// The loops, by kind. `out` has the result's shape; memory belongs to the executor's target.
///@{
using elementwise_call = void (*)(const gs::detail::executor& run, void* out, const gs::shape& result,
                                  const operand* in);
using launch_call = void (*)(const gs::launch_options& options, const argument* arguments);
using reduction_call = void (*)(const gs::detail::executor& run, void* out, const void* in,
                                const gs::detail::axis_split& split, const void* start);  ///< start may be null
using accumulation_call = void (*)(const gs::detail::executor& run, void* out, const void* in,
                                   const gs::detail::axis_split& split);
using generalised_call = void (*)(const gs::detail::executor& run, void* const* out, const gs::shape& loop,
                                  std::span<const std::size_t> extents, const operand* in);
///@}

/// A function of the source, or a loop around it. The compiler makes it a constant: nothing runs when a module is
/// loaded, and little is compiled.
struct function {
  std::string_view name = {};  ///< as the source calls it
  function_kind kind = function_kind::scalar;
  std::span<const parameter> parameters = {};  ///< without a kernel's thread or block and its shared memory
  parameter result = {};                       ///< of a scalar function
  std::string_view layout = {};                ///< of a generalised ufunc
  bool block_style = false;                    ///< of a kernel: its block is part of its type
  launch_call launch = nullptr;                ///< the one that `kind` names; the others are null
  elementwise_call elementwise = nullptr;
  reduction_call reduction = nullptr;
  accumulation_call accumulation = nullptr;
  generalised_call generalised = nullptr;
};

/// What the symbol gridstride_python_functions of a module returns.
struct function_list {
  int version = abi_version;
  std::span<const function> functions = {};
};
using list_functions = function_list (*)();
inline constexpr const char* entry_symbol = "gridstride_python_functions";

}  // namespace gridstride_python
