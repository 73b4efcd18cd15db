#pragma once
// Takes a body apart at its barriers.
//
// A barrier becomes the body's end: the number of the barrier is where the thread was left. The body begins with a
// switch that goes on behind the barrier of a number. What a thread needs there is kept in arrays, a number for each
// thread; what all have in common in a variable; and what is easily computed in neither. At last the loops over the
// threads are copied, once for each barrier: a copy has no switch, and nothing of what is done between other barriers.

#include "compiler/kept_values.h"

namespace splitter {

void split(function* f, kernel_body& body, const std::vector<kept_values>& values);

/// Inserts a statement before another. From here on, it computes the names that it assigns to; so it does for a name
/// and its value.
///@{
void define_again(gimple* before, gimple* s);
void define_again(gimple* before, tree name, tree value);
///@}

/// Memory is written in other places from now on: which reads see which state is computed again with the next update.
void forget_virtual_operands(function* f);

/// Puts a value in the place of a call, and of its result.
void replace_call(gimple* call, tree value);

}  // namespace splitter
