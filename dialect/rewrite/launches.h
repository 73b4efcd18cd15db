#pragma once
// launches: `kernel<<<grid, block>>>(arguments)` becomes a call.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/kernel_names.h"

namespace dialect {

/// k<<<g, b>>>(x)        becomes  ::dialect::configured<&k>("k", ::dialect::configuration(g, b))(x)
/// k<T, 4><<<g, b>>>(x)  becomes  ::dialect::configured("k<T, 4>", ::dialect::configuration(g, b), [=](auto... p) {
///                                k<T, 4>(p...); })(x)
void rewrite_launches(std::string_view source, const token_list& tokens, const kernel_names& kernels, edit_list& edits);

}  // namespace dialect
