#pragma once
// watched_reads: what a statement does to memory that other threads may change.

#include "compiler/gcc.h"

namespace splitter {

/// The name of the function that a statement calls; empty if it calls none, or none by its name.
std::string name_of(const gimple* call);
bool begins_with(const std::string& text, const char* beginning);

/// Whether memory belongs to the function that is compiled: no other thread knows its address.
bool is_own_memory(tree reference);

/// Whether it is a compare_exchange of which g++ has made a function of its own: what it has found, and whether it has
/// succeeded, are the parts of one complex number.
bool is_internal_exchange(const gimple* s);

/// Whether it is a weak compare_exchange. That is tried again with what it has found: it waits for nobody.
bool is_weak(const gimple* s);

/// Whether it reads memory that other threads may change and that the compiler reads each time.
bool is_watched(const gimple* s);
bool is_fence(const gimple* s);

}  // namespace splitter
