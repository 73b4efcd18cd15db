#pragma once
// device_variables: declarations of variables of the device, outside of functions and classes.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// `__device__ int n;` becomes `__device__ int n; static const ::dialect::device_variable gs_device_n(n, "n");`
/// (dialect/language/device_variable.h). Templates, constants and what is __managed__ stay what they are.
void mark_device_variables(const token_list& tokens, edit_list& edits);

}  // namespace dialect
