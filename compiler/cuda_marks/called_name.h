#pragma once
// called_name: by which the marks of a CUDA thread are known, and the calls that ask for what is kept of a kernel.

#include "compiler/gcc.h"

namespace cuda_marks {

/// The name of the function that is called; empty if it isn't known, or the statement is no call.
inline std::string called_name(const gimple* s) {
  const tree function = is_gimple_call(s) && !gimple_call_internal_p(s) ? gimple_call_fndecl(s) : NULL_TREE;
  return function && DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
}

}  // namespace cuda_marks
