#pragma once
// __CUDA_ARCH__, which a source is compiled without, since functions for host and device are compiled once: where only
// the device's code stands, conditions see it.

#include <vector>

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// In `#if` and its kin: in functions of the device alone __CUDA_ARCH__ is 900, and so it is outside of all braces
/// where the condition compares it and doesn't ask whether it is defined.
void rewrite_device_architecture(const token_list& code, const std::vector<directive>& directives, edit_list& edits);

}  // namespace dialect
