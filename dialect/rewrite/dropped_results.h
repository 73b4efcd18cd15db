#pragma once
// dropped_results: calls of the CUDA runtime whose result nobody uses.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// `cudaFree(x);` becomes `cudaFree(x), ::dialect::dropped_result{"cudaFree"};`, which hears what was returned
/// (dialect/runtime/unchecked_errors.h), and where the call stands. `(void)cudaFree(x);` drops it on purpose, and stays
/// what it is.
void mark_dropped_results(std::string_view source, const token_list& tokens, bool is_directive, edit_list& edits);

}  // namespace dialect
