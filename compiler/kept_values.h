#pragma once
// kept_values: what a thread still needs behind a barrier, and how it gets it there.

#include "compiler/kernel_body.h"
#include "compiler/uniform_values.h"

namespace splitter {

/// Of one barrier.
struct kept_values {
  statements again;              ///< what is computed again behind it, operands first
  std::vector<tree> uniform;     ///< values that all threads have in common: one variable for each
  std::vector<tree> of_threads;  ///< the others: an array for each, a number for each thread
};

/// For each wait of the body, in order. Returns why that can't be done, or nothing.
std::string find_kept_values(function* f, const kernel_body& body, std::vector<kept_values>& values);

}  // namespace splitter
