#pragma once
// launches: `kernel<<<grid, block>>>(arguments)` becomes a call, and so does cudaLaunchKernel(kernel, ...), which in
// CUDA takes an address without a type.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/kernel_names.h"

namespace dialect {

/// k<<<g, b>>>(x)        becomes  ::dialect::configured<&k>("k", ::dialect::configuration(g, b))(x)
/// k<T, 4><<<g, b>>>(x)  becomes  ::dialect::configured("k<T, 4>", ::dialect::configuration(g, b), [=](auto... p) {
///                                k<T, 4>(p...); })(x)
void rewrite_launches(std::string_view source, const token_list& tokens, const kernel_names& kernels, edit_list& edits);
/// cudaLaunchKernel((void*)k, g, b, a)  becomes  ::dialect::launch_function<&k>("k", false, g, b, a)
void rewrite_launch_calls(std::string_view source, const token_list& tokens, edit_list& edits);

}  // namespace dialect
