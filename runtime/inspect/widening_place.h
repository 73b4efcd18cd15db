#pragma once
// One float32 to float64 conversion of the intermediate code, told in terms of the source: which expression, and why.

#include <string>

#include "runtime/core/config.h"
#include "runtime/inspect/compiler_dump.h"
#include "runtime/inspect/inspect.h"
#include "runtime/inspect/promotion_warnings.h"
#include "runtime/inspect/source_text.h"

namespace gs::inline GS_FLAVOUR::inspecting {

/// How the wider value is used.
enum class widened_as { operand, argument, result, variable };

struct widening_place {
  widened_as use = widened_as::operand;
  bool is_conditional = false;  ///< a result of ?:, wherever g++ says that it stands
  widening shown;               ///< without function and called_from
};

/// Places what g++ does at `extension`, which widens; `statement` is the conversion there, null if it isn't known.
widening_place place_conversion(const dumped_function& function, const dumped_function::float_conversion& extension,
                                const dumped_function::conversion* statement, const source_text& source);

/// Places what the source asks for, by one of g++'s warnings.
widening place_warning(const promotion_warning& warning, const source_text& source);

/// Marks `span` of `source` as the expression of `shown`.
void set_expression(widening& shown, span_of_text span, const source_text& source);

}  // namespace gs::inline GS_FLAVOUR::inspecting
