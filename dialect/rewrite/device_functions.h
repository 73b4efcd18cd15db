#pragma once
// Where the functions of the device are among a source's words.

#include <cstddef>
#include <vector>

#include "dialect/rewrite/tokens.h"

namespace dialect {

/// The words of a function that is `__global__` or `__device__`, and not `__host__`: from its declaration's first word
/// on, and those of its body, which are its braces.
struct device_function {
  std::size_t begin, open, close;
};

std::vector<device_function> device_functions(const token_list& tokens);

}  // namespace dialect
