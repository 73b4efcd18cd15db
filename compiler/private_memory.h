#pragma once
// Local variables of a kernel that g++ keeps in memory, such as arrays: each thread has its own, but the loop over the
// threads has one for all. That is enough as long as no thread comes to a barrier in between.

#include "compiler/kernel_body.h"

namespace splitter {

/// Why such a variable stands in the way; empty if none does.
std::string look_at_private_memory(const kernel_body& body);

/// Whether a thread writes to such a variable at all.
bool writes_private_memory(const kernel_body& body);

}  // namespace splitter
