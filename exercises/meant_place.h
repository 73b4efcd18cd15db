#pragma once
// meant_place: what an error in one of the runtime's headers is about, in the learner's file.

#include <string>

#include "runtime/instruments/finding.h"

namespace exercises {

/// `context` is what g++ says of a failed assertion: what was instantiated, and from where. If that names a function
/// which `source` defines, the place of its name; of its parameter, if the assertion is of a launch's argument. The
/// place has no file; line 0: not known.
gs::source_place meant_place(const std::string& context, const std::string& source);

}  // namespace exercises
