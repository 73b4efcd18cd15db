#pragma once
// implied_calls: functions that a C++ file calls without their names, as far as its tokens say: constructors,
// destructors, operators and conversion functions of the classes that it defines.

#include <cstddef>
#include <vector>

#include "exercises/explain/source_functions.h"

namespace exercises {

/// The numbers of such functions that `caller` calls by what begins at this token of its body. Of several that may be
/// meant, overloads for as many arguments, it is the first; none, if one of them is marked. An object's class is known
/// if it is written where the object is declared, or in front of the function that returns it.
std::vector<std::size_t> implied_calls(const source_functions& source, std::size_t token,
                                       const source_function& caller);

}  // namespace exercises
