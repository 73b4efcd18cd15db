#pragma once
// asked_place: the definition in the learner's file that a failed check is about.

#include <string>

#include "exercises/result/exercise_result.h"

namespace exercises {

/// The function (or the ufunc) of `source`, the learner's text, that the check names; else one that the checks reach
/// from the line that asks, or from the function around it. The place has no file and no column; line 0: none was
/// found.
gs::source_place asked_place(const check_result& check, const std::string& source, const std::string& checks);

}  // namespace exercises
