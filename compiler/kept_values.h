#pragma once
// kept_values: the values that a thread still needs after a barrier, and how it gets them there.

#include "compiler/kernel_body.h"
#include "compiler/uniform_values.h"

namespace splitter {

/// Of one barrier.
struct kept_values {
  statements again;              ///< the statements to compute again after it, operands first
  std::vector<tree> uniform;     ///< values that all threads have in common: one variable for each
  std::vector<tree> of_threads;  ///< the others: an array for each, a number for each thread
};

/// The values for each wait of the body, in order. Returns why that can't be done, or nothing.
std::string find_kept_values(function* f, const kernel_body& body, std::vector<kept_values>& values);

/// Appends the statements that compute a value from what is known outside of the body, operands first. False if it
/// can't be computed again, or not by a few statements.
bool compute_again(const kernel_body& body, tree name, statements& chain);

}  // namespace splitter
