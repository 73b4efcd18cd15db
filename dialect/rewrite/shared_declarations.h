#pragma once
// shared_declarations: `__shared__` variables become references to the block's memory.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// __shared__ float a[4], b;        becomes  auto& a = ::dialect::shared_variable<float [(4)]>([] {}); auto& b = ...
/// extern __shared__ float s[];     becomes  auto* const s = ::dialect::dynamic_shared<float>();
/// Outside of functions the second becomes an object that converts to the pointer, and the first is refused.
/// `in_function`: whether the source stands in one, as a macro's text does.
void rewrite_shared_declarations(std::string_view source, const token_list& tokens, bool in_function, edit_list& edits);

}  // namespace dialect
